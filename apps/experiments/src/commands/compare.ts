import { CmError } from "@cm/object-model";
import { type ReadResults, readResults } from "@cm/replay";
import { type Comparison, compareResults, worseCount } from "../compare/compare-results.ts";
import { comparisonTable } from "../compare/compare-table.ts";
import { fromCaller } from "./caller-folder.ts";
import { type ReplaySetting, replayed } from "./replay.ts";
import type { ReplayCommandOptions } from "./replay-options.ts";

/**
 * `compare BEFORE AFTER`: two replays of the same recordings. True where nothing got worse.
 * @throws CmError `compare/*`; `replay/usage` where not two folders are named
 */
export function compareFolders(folders: readonly string[], { json }: { readonly json?: true }): boolean {
  const [before, after, ...others] = folders;
  if (before === undefined || after === undefined || others.length > 0)
    throw usage("Name two folders of replays, or two policies and recordings: compare --policy log,./mine.js FILE.");
  return tell(compareResults(readResults(fromCaller(before)), readResults(fromCaller(after))), json);
}

/** `compare --policy BEFORE,AFTER FILE...`: both on the same recordings, which are replayed first. */
export async function comparePolicies(
  files: readonly string[],
  options: ReplayCommandOptions,
  setting: ReplaySetting,
): Promise<boolean> {
  const [before, after, ...others] = options.policy;
  if (before === undefined || after === undefined || others.length > 0)
    throw usage("Name two policies to compare, as in --policy log,./mine.js.");
  const { output } = await replayed(files, options, setting);
  const results = readResults(output.path);
  return tell(compareResults(ofPolicy(results, before), ofPolicy(results, after)), options.json);
}

function ofPolicy({ meta, runs, ...rest }: ReadResults, policy: string): ReadResults {
  const policies = meta.policies.filter(({ name }) => name === policy);
  return { ...rest, meta: { ...meta, policies }, runs: runs.filter((run) => run.policy === policy) };
}

function tell(comparison: Comparison, json: true | undefined): boolean {
  process.stdout.write(json === true ? `${JSON.stringify(told(comparison))}\n` : table(comparison));
  return worseCount(comparison) === 0;
}

function told(comparison: Comparison) {
  return { ...comparison, worse: worseCount(comparison) };
}

function table(comparison: Comparison): string {
  return comparisonTable(comparison, { color: process.stdout.isTTY === true && process.env.NO_COLOR === undefined });
}

function usage(message: string): CmError<"replay/usage"> {
  return new CmError("replay/usage", message);
}

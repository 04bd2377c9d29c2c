import { basename, join } from "node:path";
import { CmError } from "@cm/object-model";
import { type Recording, readRecording } from "@cm/recordings";
import {
  absentFiles,
  familySummaries,
  type PolicyEntry,
  type ReplayFiles,
  type ResultsFile,
  type ResultsMeta,
  type RunResult,
  resultsFileName,
  resultsFormat,
  withIds,
} from "@cm/replay";
import { limits } from "../limits.ts";
import { Databases } from "../replay/databases.ts";
import { hashOfFile } from "../replay/file-hashes.ts";
import { containerFiles, withFurtherSources } from "../replay/further-sources.ts";
import { halfOf } from "../replay/halves.ts";
import { OutputFolder } from "../replay/output-folder.ts";
import { Pause } from "../replay/pause.ts";
import { presentFiles } from "../replay/present-files.ts";
import { PromptDump } from "../replay/prompt-dump.ts";
import { type LoadedRecording, metaOf } from "../replay/results-meta.ts";
import { type Matrix, runMatrix } from "../replay/run-matrix.ts";
import { reportHtml } from "../report/html.ts";
import { resultTable } from "../report/table.ts";
import { fromCaller } from "./caller-folder.ts";
import { withGenerated } from "./generated-recordings.ts";
import { policyEntry } from "./own-policy.ts";
import { checkTogether, pricesOf, type ReplayCommandOptions } from "./replay-options.ts";

export interface ReplaySetting {
  /** As the user typed it, for the report. */
  readonly command: string;
  /** The files of each run. Default: those below `--root`, or unreachable ones. */
  readonly filesOf?: (recording: Recording) => ReplayFiles | Promise<ReplayFiles>;
}

/** `replay FILE...`: every recording under every policy at all prices, then table, report and databases. */
export async function replay(
  files: readonly string[],
  options: ReplayCommandOptions,
  setting: ReplaySetting,
): Promise<void> {
  const { runs, output } = await replayed(files, options, setting);
  print(runs, options, output);
}

export interface Replayed {
  readonly runs: readonly RunResult[];
  readonly output: OutputFolder;
}

/** The same without a table. */
export async function replayed(
  files: readonly string[],
  options: ReplayCommandOptions,
  { command, filesOf = recordedFiles(options) }: ReplaySetting,
): Promise<Replayed> {
  checkTogether(files, options);
  const entries: PolicyEntry[] = [];
  for (const name of options.policy) entries.push(await policyEntry(name));
  const named = files.map(fromCaller);
  // All input is read before the first result is begun: bad input leaves nothing behind.
  const all = await withGenerated(options.generated ?? [], (made) => load([...named, ...made], options));
  const loaded = inHalf(all, options);
  const matrix: Matrix = {
    recordings: loaded,
    policies: entries.map(({ name, policy }) => ({ name, policy: withIds(policy, options.ids) })),
    prices: pricesOf(options),
    lifetime: options.lifetime,
  };
  const meta = metaOf(matrix, loaded, { command, activePath: options.path === true });
  const output = new OutputFolder(fromCaller(options.out));
  const runs = await buildResults(matrix, options, { output, meta, filesOf });
  output.keep();
  return { runs, output };
}

async function load(files: readonly string[], options: ReplayCommandOptions): Promise<readonly LoadedRecording[]> {
  const loaded: LoadedRecording[] = [];
  for (const path of files) {
    const file = basename(path);
    const recording = await readRecording(path, { activePath: options.path === true });
    loaded.push({ file, recording, sha256: await hashOfFile(path) });
    for (const warning of recording.warnings.slice(0, limits.warningsMax))
      process.stderr.write(`${file}: ${warning}\n`);
  }
  return loaded;
}

function inHalf(loaded: readonly LoadedRecording[], { half }: ReplayCommandOptions): readonly LoadedRecording[] {
  const kept = loaded.filter((recording) => half === undefined || halfOf(recording) === half);
  if (kept.length === 0) throw new CmError("replay/usage", `None of the recordings is in the half to ${half}.`);
  return kept;
}

interface Results {
  readonly output: OutputFolder;
  readonly meta: ResultsMeta;
}

async function buildResults(
  matrix: Matrix,
  options: ReplayCommandOptions,
  { output, meta, filesOf }: Results & Pick<Required<ReplaySetting>, "filesOf">,
): Promise<readonly RunResult[]> {
  const pause = new Pause();
  try {
    const runs = await runAll(matrix, options, { output, pause, filesOf });
    await writeResults(runs, { output, meta });
    return runs;
  } catch (error) {
    output.discard();
    throw error;
  } finally {
    pause.end();
  }
}

/** One page for each price vector: a policy has one figure on a page. The first is `report.html`. */
async function writeResults(runs: readonly RunResult[], { output, meta }: Results): Promise<void> {
  for (const [place, { name }] of meta.prices.entries()) {
    const html = await reportHtml(
      runs.filter(({ pricing }) => pricing === name),
      {
        command: meta.command,
        createdAt: meta.createdAt,
        version: meta.versions.experiments,
        recordings: meta.recordings.map(({ file, sha256 }) => ({ name: file, sha256 })),
        policies: Object.fromEntries(meta.policies.map((policy) => [policy.name, policy.describe])),
      },
    );
    output.write(place === 0 ? "report.html" : reportName(name), html);
  }
  const results: ResultsFile = { format: resultsFormat, meta, runs, families: familySummaries(runs) };
  output.write(resultsFileName, `${JSON.stringify(results)}\n`);
}

const reportName = (pricing: string): string => `report-${pricing.replace("/", "-")}.html`;

async function runAll(
  matrix: Matrix,
  { store, shared = false, dump: dumpFile }: Omit<ReplayCommandOptions, "shared"> & { readonly shared?: boolean },
  {
    output,
    pause,
    filesOf,
  }: Pick<Required<ReplaySetting>, "filesOf"> & { readonly output: OutputFolder; readonly pause: Pause },
): Promise<readonly RunResult[]> {
  const databases = await Databases.open(store, output, shared);
  for (const note of databases.notes) process.stderr.write(`${note}\n`);
  const dump = dumpFile === undefined ? undefined : new PromptDump(fromCaller(dumpFile));
  try {
    const runs = await runMatrix(matrix, { databases, store, shared, dump, pause, filesOf });
    dump?.keep();
    return runs;
  } catch (error) {
    dump?.discard();
    throw error;
  } finally {
    await databases.close();
  }
}

function recordedFiles(options: ReplayCommandOptions): Required<ReplaySetting>["filesOf"] {
  const { root, container, git = [], s3 = [] } = options;
  return async (recording) => {
    const files =
      container !== undefined
        ? await containerFiles(recording, container)
        : root === undefined
          ? absentFiles(recording)
          : presentFiles(recording, fromCaller(root), options.openSecretFiles);
    return withFurtherSources(files, recording, { git: git.map(fromCaller), s3 });
  };
}

function print(runs: readonly RunResult[], { json, dump, store }: ReplayCommandOptions, output: OutputFolder): void {
  if (json === true) {
    const summaries = runs.map(({ calls, parts, ...run }) => ({ ...run, calls: calls.length }));
    // The largest resident size so far; the system counts it in KiB.
    const memoryMb = Math.round(process.resourceUsage().maxRSS / 1024);
    const families = familySummaries(runs);
    const told = { out: output.path, report: "report.html", memoryMb, runs: summaries, families };
    process.stdout.write(`${JSON.stringify(told)}\n`);
    return;
  }
  const [, ...others] = new Set(runs.map(({ pricing = "" }) => pricing));
  const color = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
  const lines = [
    resultTable(runs, { color, width: process.stdout.columns ?? limits.pipedColumns }),
    `Report    ${join(output.path, "report.html")}`,
    ...others.map((name) => `          ${join(output.path, reportName(name))} (${name})`),
    ...(store === "sqlite" ? [`Databases ${join(output.path, "*.sqlite")}`] : []),
    ...(dump === undefined ? [] : [`Requests  ${fromCaller(dump)}`]),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
}

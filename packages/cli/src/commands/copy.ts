import type { ObjectStore } from "@cm/object-model";
import { type CopyProgress, type CopyReceipt, copyStore } from "@cm/portable";
import { shownStore } from "@cm/store-place";
import { counted, visibleLine } from "@cm/terminal-text";
import { Command } from "commander";
import type { CommandRun, Task } from "../command-line.ts";
import { cliError, exitCodes } from "../errors.ts";
import { limits } from "../limits.ts";
import { chooseStore, type StoreChoice } from "../store/choose-store.ts";
import { withNamedFaults } from "../store/named-faults.ts";
import { openStore, storeTypes } from "../store/open-store.ts";

interface CopyOptions {
  readonly from?: string;
  readonly to: string;
  readonly toNamespace?: string;
  readonly resume?: true;
}

export function copyCommand(run: CommandRun): Command {
  const command = new Command("copy")
    .description("copy a whole store into another one of any kind, every version with both times, and compare")
    .option("--from <file|url>", "the store to copy; default: the one that --store names")
    .requiredOption("--to <file|url>", "an empty store, which is made where it is missing")
    .option("--to-namespace <name>", "the part of a Postgres (a schema) or an XTDB node to copy into")
    .option("--resume", "go on with a copy that was interrupted");
  return command.action((options: CopyOptions) => run.run(command, (task) => copy(task, options)));
}

async function copy(task: Task, options: CopyOptions): Promise<number> {
  const { output, world } = task;
  const from = options.from === undefined ? task.choice : chooseStore({ store: options.from }, world, "--from");
  const namespace = options.toNamespace === undefined ? {} : { namespace: options.toNamespace };
  const to = chooseStore({ store: options.to, ...namespace }, world, "--to");
  if (shownStore(from) === shownStore(to))
    throw cliError("cli/usage", "Both names are of one store; name another one with --to.");
  const source = withNamedFaults(await openStore(from, "read"), from);
  const open: Parameters<typeof copyStore>[1] = async ({ now }) =>
    withNamedFaults(await openStore(to, "create", { now, bulk: true }), to);
  try {
    const receipt = await copyStore(source, open, {
      resume: options.resume === true,
      types: storeTypes,
      onProgress: ({ phase, done, total }: CopyProgress) =>
        output.progress(total === 0 ? phase : `${phase} ${done}/${total}`),
    });
    await tell(task, { from, to }, receipt);
    return await codeOf(task, from, source);
  } finally {
    await source.close();
  }
}

/** What a store has lost, its copy does not have either, and nothing in the copy tells of it. */
async function codeOf({ output }: Task, from: StoreChoice, source: ObjectStore): Promise<number> {
  const { problems } = (await source.check?.()) ?? { problems: [] };
  if (problems.length === 0) return exitCodes.ok;
  const place = visibleLine(shownStore(from), limits.fieldCharsMax);
  output.note(`${place} is damaged: what it has lost is not in the copy. Run cm --store ${place} verify.`);
  return exitCodes.found;
}

async function tell(
  { output }: Task,
  { from, to }: { readonly from: StoreChoice; readonly to: StoreChoice },
  { objects, versions, transactions, erased }: CopyReceipt,
): Promise<void> {
  if (output.json) {
    await output.value({ from: shownStore(from), to: shownStore(to), objects, versions, transactions, erased });
    return;
  }
  const place = visibleLine(shownStore(to), limits.fieldCharsMax);
  await output.line(
    `${counted(objects, "object")} in ${counted(versions, "version")} and ${counted(transactions, "transaction")} are in ${place}, and are what they were.`,
  );
  if (erased > 0)
    output.note(`${counted(erased, "version")} had been erased and ${erased === 1 ? "is" : "are"} not in the copy.`);
}

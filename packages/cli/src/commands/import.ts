import { resolve } from "node:path";
import { type ImportReceipt, importBundle, verifyBundle } from "@cm/portable";
import { bytesText, counted, visibleLine } from "@cm/terminal-text";
import { Command } from "commander";
import type { CommandRun, Task } from "../command-line.ts";
import { cliError } from "../errors.ts";
import { importAll, importFiles } from "../exchange/import-files.ts";
import { looksLikeBundle } from "../exchange/looks-like-bundle.ts";
import { isMissingStore, mayMakeStore } from "../exchange/missing-store.ts";
import { limits } from "../limits.ts";
import { fileSpool, type Spool, spooled } from "../store/spool.ts";

interface ImportOptions {
  readonly all?: true;
  readonly check?: true;
  readonly create?: true;
}

export function importCommand(run: CommandRun): Command {
  const command = new Command("import")
    .description("take sessions into the store: from files of Pi, Claude Code and other agents, or from a bundle")
    .argument("[files...]", "session files, or one bundle, gzipped or not; - for a bundle on standard input")
    .option("--all", "the sessions of all agents on this machine")
    .option("--check", "only verify the bundle; nothing is written")
    .option("--create", "make the SQLite file where it is missing");
  return command.action((files: readonly string[], options: ImportOptions) =>
    run.run(command, async (task) => {
      if (options.all === true && files.length > 0)
        throw cliError("cli/usage", "--all finds the files by itself; leave the file out, or leave --all out.");
      if (options.all === true) return importAll(task, options);
      const [file] = files;
      if (file === undefined)
        throw cliError("cli/usage", "Name a file to import, or add --all for all agents' sessions.");
      const isBundle = options.check === true || file === "-" || (await isBundleFile(task, files));
      if (!isBundle) return importFiles(task, files, options);
      if (files.length > 1) throw cliError("cli/usage", "A bundle is imported alone; name one file.");
      const spool = await bundleOf(task, file);
      try {
        if (options.check === true) await checkOnly(task, spool);
        else await importFrom(task, spool, options);
      } finally {
        spool.remove();
      }
      return undefined;
    }),
  );
}

/** One that cannot be read alone is told as a bundle is; among others it is one that fails. */
async function isBundleFile({ world }: Task, [file = "", ...others]: readonly string[]): Promise<boolean> {
  return (await looksLikeBundle(resolve(world.cwd, file))) ?? others.length === 0;
}

async function bundleOf({ world }: Task, file: string): Promise<Spool> {
  if (file !== "-") return fileSpool(resolve(world.cwd, file));
  if (world.stdin.isTTY === true) {
    throw cliError("cli/usage", "A bundle is expected on standard input; pipe one in, or name a file.");
  }
  return spooled(world.stdin);
}

async function checkOnly({ output }: Task, spool: Spool): Promise<void> {
  const summary = await verifyBundle(() => spool.open());
  if (output.json) {
    await output.value(summary);
    return;
  }
  const { session, counts, bytes, complete, replacedSteps } = summary;
  await output.line(`The bundle is sound: session ${session}, ${counted(counts.step, "step")}, ${bytesText(bytes)}.`);
  if (!complete) output.note("Something of it was erased before it was exported.");
  noteReplaced(output, replacedSteps);
}

async function importFrom(task: Task, spool: Spool, options: ImportOptions): Promise<void> {
  const { output, open } = task;
  // A bundle that is refused must not leave an empty database behind.
  if (isMissingStore(task, options)) await verifyBundle(() => spool.open());
  const store = await open(mayMakeStore(task, options) ? "create" : "write", { bulk: true });
  const receipt = await importBundle(store, () => spool.open(), {
    onProgress: ({ phase, done, total }) => output.progress(total === 0 ? phase : `${phase} ${done}/${total}`),
  });
  if (output.json) await output.value(receipt);
  else {
    await output.line(receiptText(receipt));
    noteReplaced(output, receipt.replacedSteps);
  }
}

/** The importing user has only the bundle's word for these steps. */
function noteReplaced(output: Task["output"], replacedSteps: readonly string[]): void {
  if (replacedSteps.length === 0) return;
  const names = replacedSteps.slice(0, limits.matchesMax).map((id) => visibleLine(id, limits.fieldCharsMax));
  const more = replacedSteps.length > names.length ? ", ..." : "";
  output.note(
    `In ${counted(replacedSteps.length, "step")} typed text was erased, and only the bundle's maker knows whether nothing else was changed there: ${names.join(", ")}${more}`,
  );
}

function receiptText({ session, outcome, written }: ImportReceipt): string {
  if (outcome === "unchanged") return `The store has all of session ${session} already.`;
  const what = counted(written, "version");
  return outcome === "imported"
    ? `Imported session ${session} (${what}).`
    : `Session ${session} was there; its newer steps were added (${what}).`;
}

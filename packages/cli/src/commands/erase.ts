import type { EraseReceipt, ObjectStore } from "@cm/object-model";
import { Command } from "commander";
import type { CommandRun, Task } from "../command-line.ts";
import { cliError } from "../errors.ts";
import { limits } from "../limits.ts";
import { callsOn } from "../objects/calls-on.ts";
import { filesBelow } from "../objects/files-below.ts";
import { findObject, pathOf } from "../objects/find-object.ts";
import { askYesNo } from "../output/ask.ts";
import { counted, isoText, momentText } from "../output/figures.ts";
import { visibleLine } from "../output/visible-text.ts";

interface EraseOptions {
  readonly reason: string;
  readonly below?: string;
  readonly source: string;
  readonly in?: string;
  readonly calls?: true;
  readonly session?: string;
  readonly yes?: true;
}

export function eraseCommand(run: CommandRun): Command {
  const command = new Command("erase")
    .description("take all versions of objects from the store, for good")
    .argument("[id...]", "objects: ids, paths, or aliases with --session")
    .requiredOption("--reason <text>", "why; it stays in the store")
    .option("--session <session>", "the session whose aliases and paths are meant")
    .option("--below <prefix>", "also all files whose path, as their source names it, begins so")
    .option("--source <source>", "the kind of source of --below: filesystem, git, s3 or another", "filesystem")
    .option("--in <place>", "the file system, repository@ref or bucket of --below")
    .option("--calls", "also the tool calls that named these files or showed a part of them")
    .option("--yes", "do not ask");
  return command.action((texts: string[], options: EraseOptions) =>
    run.run(command, async (task) => {
      if (texts.length === 0 && options.below === undefined) {
        throw cliError("cli/usage", "Name what is to be erased: ids, or --below with the start of a path.");
      }
      if (options.reason.trim() === "") throw cliError("cli/usage", "--reason says nothing; say why it is erased.");
      if (options.yes !== true && task.world.stdin.isTTY !== true) {
        throw cliError("cli/usage", "Erasing asks first, and nobody is there to answer; add --yes.");
      }
      const store = await task.open("write");
      const ids = await wantedObjects(task, store, texts, options);
      if (options.yes !== true) await confirm(task, store, ids);
      await printReceipt(task, await store.erase(ids, options.reason));
      return undefined;
    }),
  );
}

/** All of them, or an error: a mistyped id must not leave half of what was asked for. */
async function wantedObjects(
  { world: { cwd } }: Task,
  store: ObjectStore,
  texts: readonly string[],
  { session, below, source, in: place, calls }: EraseOptions,
): Promise<readonly string[]> {
  const ids = new Set<string>();
  for (const text of texts) ids.add(await findObject(store, text, { session, cwd }));
  if (below !== undefined) {
    for await (const { id } of filesBelow(store, { source, place, prefix: below })) ids.add(id);
    if (ids.size === 0)
      throw cliError("cli/not-found", `No file begins with ${below}; \`cm files\` lists those there are.`);
  }
  return calls === true ? [...ids, ...(await callsOn(store, ids)).filter((id) => !ids.has(id))] : [...ids];
}

async function confirm({ output, world }: Task, store: ObjectStore, ids: readonly string[]): Promise<void> {
  const shown = ids.slice(0, limits.matchesMax);
  const holding = await store.getMany(shown);
  output.note("These will be erased, with all their versions:");
  for (const id of shown) {
    const version = holding.get(id);
    const what = version === undefined ? "" : `  ${version.type} ${pathOf(version)}`.trimEnd();
    output.note(visibleLine(`  ${id}${what}`, limits.fieldCharsMax));
  }
  if (ids.length > shown.length) output.note(`  ... and ${ids.length - shown.length} more`);
  if (await askYesNo(world, `Erase ${counted(ids.length, "object")} for good?`)) return;
  throw cliError("cli/declined", "Nothing was erased.");
}

async function printReceipt({ output }: Task, { erased, shared, unknown, at, basis }: EraseReceipt): Promise<void> {
  if (output.json) {
    await output.value({ erased, shared, unknown, at: isoText(at), basis });
    return;
  }
  const line = (id: string) => output.line(`  ${visibleLine(id, limits.fieldCharsMax)}`);
  await output.line(`Erased ${counted(erased.length, "object")} at ${momentText(at)}:`);
  for (const id of erased) await line(id);
  if (shared.length > 0)
    await output.line("These lost versions, too, because they held the same text or were attached:");
  for (const id of shared) await line(id);
  output.note(
    "Copies and backups of the store, exported bundles, and quotes of the text in other objects are not touched: " +
      "they are yours to look for. `cm compact` takes what is left in unused parts of the file.",
  );
}

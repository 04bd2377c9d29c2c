import { isDocumentOf, type ObjectDocument, type ObjectStore, stepId } from "@cm/object-model";
import { eraseObjects } from "@cm/session";
import { counted, visibleLine } from "@cm/terminal-text";
import { Command } from "commander";
import type { CommandRun, Task } from "../command-line.ts";
import { cliError } from "../errors.ts";
import { limits } from "../limits.ts";
import { type Erased, findErased } from "../objects/find-erased.ts";
import { pathOf } from "../objects/find-object.ts";
import { askYesNo } from "../output/ask.ts";
import { printReceipt } from "./erase-receipt.ts";

interface EraseOptions {
  readonly reason: string;
  readonly below?: string;
  readonly source: string;
  readonly in?: string;
  readonly calls?: true;
  readonly keepAnswers?: true;
  readonly session?: string;
  readonly yes?: true;
}

export function eraseCommand(run: CommandRun): Command {
  const command = new Command("erase")
    .description("take what was typed in steps, or all versions of objects, from the store, for good")
    .argument(
      "[what...]",
      "steps as SESSION@STEP: what was typed and answered; objects: ids, paths, or aliases with --session",
    )
    .requiredOption("--reason <text>", "why; it stays in the store")
    .option("--session <session>", "the session whose aliases and paths are meant")
    .option("--keep-answers", "of steps only what was typed: the answers stay")
    .option("--below <prefix>", "also all files whose path, as their source names it, begins so")
    .option("--source <source>", "the kind of source of --below: filesystem, git, s3 or another", "filesystem")
    .option("--in <place>", "the file system, repository@ref or bucket of --below")
    .option("--calls", "also the tool calls that named these files or showed a part of them")
    .option("--yes", "do not ask");
  return command.action((texts: string[], options: EraseOptions) =>
    run.run(command, async (task) => {
      checkOptions(task, texts, options);
      const store = await task.open("write");
      const { steps, ids } = await findErased(store, texts, { ...options, cwd: task.world.cwd });
      if (options.keepAnswers === true && steps.length === 0) {
        throw cliError("cli/usage", "--keep-answers is about steps; name them as SESSION@STEP.");
      }
      const { keepAnswers = false } = options;
      if (options.yes !== true) await confirm(task, store, { steps, ids, keepAnswers });
      const named = [...steps.map(stepId), ...ids];
      await printReceipt(task, await eraseObjects(store, named, options.reason, { keepAnswers }));
      return undefined;
    }),
  );
}

function checkOptions({ world }: Task, texts: readonly string[], { below, reason, yes }: EraseOptions): void {
  if (texts.length === 0 && below === undefined) {
    throw cliError(
      "cli/usage",
      "Name what is to be erased: SESSION@STEP for what was typed there, ids or paths of objects, or --below with the start of a path.",
    );
  }
  if (reason.trim() === "") throw cliError("cli/usage", "--reason says nothing; say why it is erased.");
  if (yes !== true && world.stdin.isTTY !== true) {
    throw cliError("cli/usage", "Erasing asks first, and there is no terminal to answer on; add --yes.");
  }
}

async function confirm(
  { output, world }: Task,
  store: ObjectStore,
  { steps, ids, keepAnswers }: Erased & { readonly keepAnswers: boolean },
): Promise<void> {
  if (steps.length > 0) {
    output.note("What was typed here will be erased; the sessions stay and go on without it:");
    const found = await store.getMany(steps.slice(0, limits.matchesMax).map(stepId));
    for (const step of steps.slice(0, limits.matchesMax)) {
      const texts = textsOf(found.get(stepId(step))?.document, keepAnswers);
      output.note(visibleLine(`  ${step.session}@${step.n}  ${texts}`, limits.fieldCharsMax));
    }
    if (steps.length > limits.matchesMax) output.note(`  ... and ${steps.length - limits.matchesMax} more`);
  }
  if (ids.length > 0) await listObjects({ output }, store, ids);
  const what = [
    ...(steps.length > 0 ? [`the texts of ${counted(steps.length, "step")}`] : []),
    ...(ids.length > 0 ? [counted(ids.length, "object")] : []),
  ];
  if (await askYesNo(world, `Erase ${what.join(" and ")} for good?`)) return;
  throw cliError("cli/declined", "Nothing was erased.");
}

async function listObjects({ output }: Pick<Task, "output">, store: ObjectStore, ids: readonly string[]) {
  const shown = ids.slice(0, limits.matchesMax);
  const holding = await store.getMany(shown);
  output.note("These will be erased, with all their versions:");
  for (const id of shown) {
    const version = holding.get(id);
    const what = version === undefined ? "" : `  ${version.type} ${pathOf(version)}`.trimEnd();
    output.note(visibleLine(`  ${id}${what}`, limits.fieldCharsMax));
  }
  if (ids.length > shown.length) output.note(`  ... and ${ids.length - shown.length} more`);
}

/** How much goes, without a word of it. */
function textsOf(document: ObjectDocument | undefined, keepAnswers: boolean): string {
  if (document === undefined || !isDocumentOf(document, "step")) return "";
  const chars = (role: "user" | "assistant") =>
    document.messages.reduce((sum, message) => sum + (message.role === role ? message.text.length : 0), 0);
  const typed = `typed: ${counted(chars("user"), "character")}`;
  return keepAnswers ? typed : `${typed}, answered: ${counted(chars("assistant"), "character")}`;
}

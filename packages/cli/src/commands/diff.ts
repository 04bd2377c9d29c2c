import type { ObjectStore, StepAddress } from "@cm/object-model";
import { objectAt } from "@cm/session";
import { visibleLine, visibleText } from "@cm/terminal-text";
import { Command } from "commander";
import type { CommandRun, Task } from "../command-line.ts";
import { cliError } from "../errors.ts";
import { limits } from "../limits.ts";
import { findObject } from "../objects/find-object.ts";
import { findStep } from "../objects/find-session.ts";
import { parseStepAddress } from "../objects/step-address.ts";
import { numberedVersions, versionNamed } from "../objects/versions.ts";
import { type DiffSide, unifiedDiff } from "../output/unified-diff.ts";

interface Side extends DiffSide {
  /** For programs: which version this is. */
  readonly version: object;
}

interface Compared {
  readonly id: string;
  readonly from: Side;
  readonly to: Side;
}

const usage = "Say diff ID [FROM] [TO], or diff SESSION@STEP SESSION@STEP ID.";

export function diffCommand(run: CommandRun): Command {
  const command = new Command("diff")
    .description("what changed between two versions of an object, or between two steps")
    .argument("<words...>", "ID [FROM] [TO]: versions by number or hash; or SESSION@STEP SESSION@STEP ID")
    .usage("[options] ID [FROM] [TO]\n       cm diff [options] SESSION@STEP SESSION@STEP ID")
    .option("--session <session>", "the session whose aliases and paths are meant");
  return command.action((words: string[], options: { session?: string }) =>
    run.run(command, async (task) => {
      const store = await task.open();
      const steps = words.length === 3 ? addresses(words) : undefined;
      const compared =
        steps === undefined
          ? await byVersion(store, words, { session: options.session, cwd: task.world.cwd })
          : await byStep(store, steps, words[2] ?? "");
      await printDiff(task, compared);
      return undefined;
    }),
  );
}

function addresses([first = "", second = ""]: readonly string[]): readonly [StepAddress, StepAddress] | undefined {
  const from = parseStepAddress(first);
  const to = parseStepAddress(second);
  return from === undefined || to === undefined ? undefined : [from, to];
}

/** By default what the newest version changed. */
async function byVersion(
  store: ObjectStore,
  words: readonly string[],
  where: { readonly session: string | undefined; readonly cwd: string },
): Promise<Compared> {
  const [text = "", from, to] = words;
  if (words.length > 3) throw cliError("cli/usage", usage);
  const id = await findObject(store, text, where);
  const versions = await numberedVersions(store, id, { documents: true });
  const [newest] = versions;
  const wanted = to === undefined ? newest : versionNamed(versions, to, text);
  const earlier = versions.find(({ number }) => number === (wanted?.number ?? 0) - 1);
  const base = from === undefined ? earlier : versionNamed(versions, from, text);
  if (wanted === undefined || base === undefined) {
    throw cliError("cli/not-found", `The object ${text} has only one version, so that there is nothing to compare.`, {
      id,
    });
  }
  const side = ({ number, version }: typeof wanted): Side => ({
    name: `${visibleLine(text, limits.fieldCharsMax)} (version ${number})`,
    text: textOf(version.document?.content, `Version ${number} of ${text}`),
    version: { version: number, contentHash: version.contentHash },
  });
  return { id, from: side(base), to: side(wanted) };
}

/** The versions that two sessions, or one at two times, had in sight. */
async function byStep(
  store: ObjectStore,
  [from, to]: readonly [StepAddress, StepAddress],
  text: string,
): Promise<Compared> {
  const one = await sideAt(store, await findStep(store, from), text);
  const other = await sideAt(store, await findStep(store, to), one.id, text);
  return { id: one.id, from: one.side, to: other.side };
}

/** Aliases are those of the first session: in another one the same name may mean another object. */
async function sideAt(
  store: ObjectStore,
  address: StepAddress,
  idOrAlias: string,
  text: string = idOrAlias,
): Promise<{ id: string; side: Side }> {
  const found = await objectAt(store, address, idOrAlias);
  const step = `${address.session}@${address.n}`;
  if (found === undefined) {
    throw cliError(
      "cli/not-found",
      `The session had not met ${text} by ${step}; \`cm at ${step}\` lists what it had.`,
      {
        object: text,
      },
    );
  }
  const side: Side = {
    name: `${visibleLine(text, limits.fieldCharsMax)} (${step})`,
    text: textOf(found.document?.content, `${text} at ${step}`),
    version: { ...address, contentHash: found.contentHash },
  };
  return { id: found.id, side };
}

/** A version without text counts as empty, as a deleted file does; an erased one cannot be compared. */
function textOf(content: string | null | undefined, what: string): string {
  if (content !== undefined) return content ?? "";
  throw cliError("cli/not-found", `${what} was erased, so that it cannot be compared.`);
}

async function printDiff({ output }: Task, { id, from, to }: Compared): Promise<void> {
  const diff = unifiedDiff(from, to);
  if (output.json) {
    await output.value({ id, from: from.version, to: to.version, changed: diff !== "", diff });
  } else if (diff === "") output.note("The two have the same text.");
  else if (output.isTerminal) await output.write(painted(visibleText(diff), output));
  else await output.write(diff);
}

function painted(diff: string, output: Task["output"]): string {
  const paintLine = (line: string) => {
    if (line.startsWith("---") || line.startsWith("+++")) return output.paint("bold", line);
    if (line.startsWith("@@")) return output.paint("cyan", line);
    if (line.startsWith("-")) return output.paint("red", line);
    return line.startsWith("+") ? output.paint("green", line) : line;
  };
  return diff.split("\n").map(paintLine).join("\n");
}

import type { ContextHost, LeveledObject } from "@cm/context-log";
import { isCmError } from "@cm/object-model";
import { contextToolName } from "./context-tool.ts";
import { objectNames } from "./given-arguments.ts";
import { contextToolLimits } from "./limits.ts";
import { field, objectText } from "./object-words.ts";

/** What the tool needs of a session. */
export type ContextToolHost = Pick<ContextHost, "command" | "recall" | "list" | "turn" | "omittedTurns">;

/** What came of one name. `reason`: why nothing was done for it, with the next step. */
type NamedOutcome<T> =
  | { readonly name: string; readonly done: true; readonly value: T }
  | { readonly name: string; readonly done: false; readonly reason: string };

type Attempt<T> = (
  name: string,
) => Promise<{ readonly done: true; readonly value: T } | { readonly done: false; readonly reason: string }>;

export interface ToolRun {
  readonly host: ContextToolHost;
  readonly cwd: string | undefined;
}

/** Does one thing for each name of a call, one after the other. A name that is refused, or a host that fails, stops none. */
export async function namedOutcomes<T>(
  given: readonly string[],
  attempt: Attempt<T>,
  { host, cwd }: ToolRun,
): Promise<readonly NamedOutcome<T>[] | { readonly refused: string }> {
  const read = objectNames(given);
  if ("refused" in read) return read;
  const tried = async (name: string): Promise<NamedOutcome<T>> => {
    try {
      const outcome = await attempt(name);
      const below = outcome.done ? undefined : pathBelow(cwd, name);
      const again = below === undefined ? outcome : await attempt(below);
      return { name, ...(again.done ? again : outcome) };
    } catch (error) {
      return { name, done: false, reason: faultText(error) };
    }
  };
  if (read.whole !== undefined) {
    const outcome = await tried(read.whole);
    if (outcome.done) return [outcome];
  }
  const outcomes: NamedOutcome<T>[] = [];
  for (const name of read.names) {
    const outcome = await tried(name);
    outcomes.push(
      outcome.done ? outcome : { ...outcome, reason: `${outcome.reason}${await similarNames(host, name, cwd)}` },
    );
  }
  return outcomes;
}

/** A relative path as one from the root, where it is one. */
function pathBelow(cwd: string | undefined, name: string): string | undefined {
  if (cwd === undefined || cwd === "" || /^[/\\~]|^[ft]\d+$/.test(name)) return undefined;
  return `${cwd.replace(/\/$/, "")}/${name.replace(/^(?:\.\/)+/, "")}`;
}

/** A refusal as its reader gets it. */
export const refusalLine = ({ name, reason }: { readonly name: string; readonly reason: string }): string =>
  `${field(name)}: ${reason}`;

/** A fault in words. Only messages of ours are known to hold no content. */
export function faultText(error: unknown): string {
  const message = isCmError(error) ? error.message : "The context store failed; go on without this tool.";
  return field(message, contextToolLimits.reasonCharsMax);
}

/**
 * ` Known are: src/m2.ts (f8).` Where no file has the name, as that of a link, the newest calls with it: ` Calls with it: read
 * link.ts (t4).` Nothing where nothing is, or where it cannot be asked.
 */
async function similarNames(host: ContextToolHost, name: string, cwd: string | undefined): Promise<string> {
  const last =
    name
      .replace(/[/\\]+$/, "")
      .split(/[/\\]/)
      .at(-1) ?? "";
  if (last.length < 3 || /^[ft]\d+/.test(last)) return "";
  const { likeNamesMax } = contextToolLimits;
  try {
    const files = await host.list({ path: last, kind: "file", limit: likeNamesMax });
    const like = files.objects.filter((object) => object.path !== name).map((object) => namedWords(object, cwd));
    if (like.length > 0) return ` Known are: ${like.join(", ")}.`;
    const { objects } = await host.list({ path: last, kind: "toolcall" });
    const others = objects.filter(({ tool }) => tool !== contextToolName);
    const calls = others.slice(-likeNamesMax).reverse();
    return calls.length === 0 ? "" : ` Calls with it: ${calls.map((object) => namedWords(object, cwd)).join(", ")}.`;
  } catch {
    return "";
  }
}

/** `read src/m3.ts (t4)`. */
export const namedWords = (object: LeveledObject, cwd: string | undefined): string =>
  `${objectText(object, cwd)} (${object.alias})`;

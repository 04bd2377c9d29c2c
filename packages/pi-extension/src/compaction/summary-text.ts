import { contextToolName } from "@cm/context-tool";
import { keptMark } from "../branch/kept-mark.ts";
import type { TouchedFile } from "./branch-facts.ts";
import { compactionLimits as limits } from "./limits.ts";
import { shortened } from "./shortened.ts";

export interface SummaryFacts {
  /** What the text begins with: what it is a summary of. */
  readonly head: string;
  readonly prompts: readonly string[];
  /** In the order in which they were touched last. */
  readonly files: readonly TouchedFile[];
  /** The session's short name of a file. Absent where it could not be asked. */
  readonly aliasOf?: (path: string) => string | undefined;
  readonly newestAnswer?: string | undefined;
  /** Objects that the session keeps. Undefined where it could not be asked. */
  readonly objects?: number | undefined;
  /** It is of a branch that was left, whose objects and short names are none of the session's there. */
  readonly isLeft?: true;
  /** What the user asked the summary to be about. */
  readonly instructions?: string | undefined;
  /** An earlier summary by another author. */
  readonly previous?: string | undefined;
}

/** First line of a summary that no model wrote; by it a later one knows that nothing is lost with it. */
export const summaryTitle = "# Summary by Context Manager";

/** A model's summary with what it may have left out: the user's own words, files by name, and how text comes back. */
export function besideModels(
  text: string,
  facts: Pick<SummaryFacts, "prompts" | "files" | "aliasOf" | "objects">,
): string {
  const kept = joined([
    section("What the user asked for, oldest first", promptLines(facts.prompts)),
    section("Files, touched last first", fileLines(facts)),
    section("How to get text back", backLines(facts)),
  ]);
  const summary = withoutTag(shortened(text.trim(), limits.modelCharsMax));
  return `${summary}${keptMark}${withoutTag(shortened(kept, limits.summaryCharsMax))}`;
}

/**
 * A summary from data alone: the same facts, the same text, within a bound. It makes sense to a model without us, too:
 * a session without the extension continues with it.
 */
export function summaryText(facts: SummaryFacts): string {
  const sections = [
    `${summaryTitle}\n\n${facts.head}`,
    section("What the user asked the summary to be about", quoted(facts.instructions, limits.instructionsCharsMax)),
    section("What the user asked for, oldest first", promptLines(facts.prompts)),
    section("Newest answer", quoted(facts.newestAnswer, limits.answerCharsMax)),
    section("Files, touched last first", fileLines(facts)),
    section("How to get text back", backLines(facts)),
    section("An earlier summary", quoted(facts.previous, limits.previousCharsMax)),
  ];
  return shortened(withoutTag(joined(sections)), limits.summaryCharsMax);
}

const joined = (sections: readonly string[]): string => sections.filter((part) => part !== "").join("\n\n");

/** Pi encloses it in this tag. */
const withoutTag = (text: string): string => text.replaceAll(/<(\/?)summary/gi, "< $1summary");

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? "" : `## ${title}\n\n${lines.join("\n")}`;

function promptLines(prompts: readonly string[]): readonly string[] {
  const first = prompts.slice(0, 1);
  const newest = prompts.slice(1).slice(1 - limits.promptsMax);
  const between = prompts.length - first.length - newest.length;
  const itemOf = (prompt: string): string => `* ${shortened(prompt, limits.promptCharsMax).replaceAll("\n", "\n  ")}`;
  return [...first.map(itemOf), ...(between > 0 ? [`* [${between} more]`] : []), ...newest.map(itemOf)];
}

function quoted(text: string | undefined, charsMax: number): readonly string[] {
  const trimmed = text?.trim() ?? "";
  return trimmed === ""
    ? []
    : shortened(trimmed, charsMax)
        .split("\n")
        .map((line) => `> ${line}`.trimEnd());
}

/** Edited ones first: what was only read can be read again. */
function fileLines({ files, aliasOf }: Pick<SummaryFacts, "files" | "aliasOf">): readonly string[] {
  const newestFirst = [...files].reverse();
  const ranked = [...newestFirst.filter(({ edited }) => edited), ...newestFirst.filter(({ edited }) => !edited)];
  const lines = ranked.slice(0, limits.filesMax).map(({ path, edited }) => {
    const alias = aliasOf?.(path);
    const name = alias === undefined ? "" : ` (${alias})`;
    return `* ${edited ? "edited" : "read"}: ${shortened(path.replaceAll(/\s+/g, " "), limits.pathCharsMax)}${name}`;
  });
  const left = ranked.length - lines.length;
  return left > 0 ? [...lines, `* [${left} more]`] : lines;
}

function backLines({
  objects,
  aliasOf,
  isLeft,
}: Pick<SummaryFacts, "objects" | "aliasOf" | "isLeft">): readonly string[] {
  if (isLeft)
    return [
      "The files and outputs of that branch are not in this conversation. Read a file again before you rely on it.",
    ];
  const kept = objects === undefined ? "What was read and put out" : `Every text of ${objects} files and tool calls`;
  const named = aliasOf !== undefined ? " with the short name in parentheses" : "";
  return [
    `${kept} is kept. The tool \`${contextToolName}\` lists it and brings it back${named}.`,
    "Where this tool is missing, read the files again.",
  ];
}

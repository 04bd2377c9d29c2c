import { parseNumbered, printedText } from "@cm/tool-calls";
import { structuredPatch } from "diff";
import { limits } from "../limits.ts";

/**
 * The lines that changed from one output to a later one, as unified hunks without context; line numbers before the
 * lines and what a harness says above them are no part of the comparison, and the hunks count as the file does. Undefined where the texts are too long or too
 * different: bounded by edits, never by time, so that the same texts always give the same answer.
 */
export function changedLines(from: string, to: string): string | undefined {
  if (from.length + to.length > limits.comparedCharsMax) return undefined;
  const before = comparable(from);
  const after = comparable(to);
  const patch = structuredPatch("", "", before.text, after.text, undefined, undefined, {
    context: 1,
    maxEditLength: limits.diffEditsMax,
  });
  return patch?.hunks
    .flatMap((hunk) => [
      `@@ -${hunk.oldStart + before.shift},${hunk.oldLines} +${hunk.newStart + after.shift},${hunk.newLines} @@`,
      // The library's note on a missing last newline; lines of the texts begin with a space, plus or minus.
      ...hunk.lines.filter((line) => !line.startsWith("\\")),
    ])
    .join("\n");
}

/** What is compared of an output: the text of the file, and how many lines of it stand before that. */
export function comparable(text: string): { readonly text: string; readonly shift: number } {
  const numbered = parseNumbered(text);
  if (numbered === undefined) return { text: printedText(text), shift: 0 };
  const { body, tail, firstNumber } = numbered;
  // Where nothing follows the last number's line, its line break is the file's: an empty line before it is a line.
  return { text: tail === "\n" ? `${body}\n` : body, shift: firstNumber - 1 };
}

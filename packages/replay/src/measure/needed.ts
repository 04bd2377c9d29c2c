import type { JsonObject } from "@cm/object-model";
import type { RecordedAssistant, RecordedCall } from "@cm/recordings";
import { fileActions, toolAction } from "@cm/tool-calls";

/** A text that an edit replaces. */
export interface ReplacedText {
  /** The edited file as the call names it. */
  readonly file: string;
  /** Trimmed, without blank ones; never empty. */
  readonly lines: readonly string[];
  /** The first of the longest lines. */
  readonly longest: string;
}

/** The texts that an answer's edits replace, without blank ones. */
export function replacedTexts(answer: Pick<RecordedAssistant, "calls">): readonly ReplacedText[] {
  return answer.calls.flatMap(replacedBy);
}

/** The text that an answer's edits need in view: the longest line of each replaced text, trimmed. */
export function neededLines(answer: Pick<RecordedAssistant, "calls">): readonly string[] {
  return replacedTexts(answer).map(({ longest }) => longest);
}

function replacedBy({ name, args }: RecordedCall): readonly ReplacedText[] {
  return fileActions(toolAction(name, args as JsonObject)).flatMap((action) => {
    if (action.does !== "edit") return [];
    return action.replaced.flatMap((text) => {
      const lines = text
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== "");
      const longest = lines.reduce((best, line) => (line.length > best.length ? line : best), "");
      return longest === "" ? [] : [{ file: action.path, lines, longest }];
    });
  });
}

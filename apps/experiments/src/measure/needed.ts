import type { RecordedAssistant, RecordedCall } from "@cm/recordings";

/** The text that an answer's edits need in view: the longest line of each replaced text, trimmed. */
export function neededLines(answer: Pick<RecordedAssistant, "calls">): readonly string[] {
  return answer.calls
    .filter(({ name }) => name.toLowerCase() === "edit")
    .flatMap(replacedTexts)
    .flatMap((text) => longestLine(text) ?? []);
}

function replacedTexts({ args }: RecordedCall): readonly string[] {
  const edits = Array.isArray(args.edits) ? (args.edits as readonly unknown[]) : [args];
  return edits.flatMap((edit) => {
    const { oldText, old_string } = (typeof edit === "object" && edit !== null ? edit : {}) as Record<string, unknown>;
    const text = args === edit ? (old_string ?? oldText) : (oldText ?? old_string);
    return typeof text === "string" ? [text] : [];
  });
}

/** The first of the longest ones; undefined where the text is blank. */
function longestLine(text: string): string | undefined {
  const longest = text
    .split("\n")
    .map((line) => line.trim())
    .reduce((best, line) => (line.length > best.length ? line : best), "");
  return longest === "" ? undefined : longest;
}

import type { RecordedAssistant, RecordedCall } from "@cm/recordings";

/** A text that an edit replaces. */
export interface ReplacedText {
  /** The edited file as the call names it; undefined where it names none. */
  readonly file: string | undefined;
  /** Trimmed, without blank ones; never empty. */
  readonly lines: readonly string[];
  /** The first of the longest lines. */
  readonly longest: string;
}

/** The texts that an answer's edits replace, without blank ones. */
export function replacedTexts(answer: Pick<RecordedAssistant, "calls">): readonly ReplacedText[] {
  return answer.calls.filter(({ name }) => name.toLowerCase() === "edit").flatMap(replacedBy);
}

/** The text that an answer's edits need in view: the longest line of each replaced text, trimmed. */
export function neededLines(answer: Pick<RecordedAssistant, "calls">): readonly string[] {
  return replacedTexts(answer).map(({ longest }) => longest);
}

function replacedBy({ args }: RecordedCall): readonly ReplacedText[] {
  const file = fileOf(args);
  return oldTexts(args).flatMap((text) => {
    const lines = text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
    const longest = lines.reduce((best, line) => (line.length > best.length ? line : best), "");
    return longest === "" ? [] : [{ file, lines, longest }];
  });
}

function oldTexts(args: RecordedCall["args"]): readonly string[] {
  const edits = Array.isArray(args.edits) ? (args.edits as readonly unknown[]) : [args];
  return edits.flatMap((edit) => {
    const { oldText, old_string } = (typeof edit === "object" && edit !== null ? edit : {}) as Record<string, unknown>;
    const text = args === edit ? (old_string ?? oldText) : (oldText ?? old_string);
    return typeof text === "string" ? [text] : [];
  });
}

function fileOf({ file_path, path }: RecordedCall["args"]): string | undefined {
  const named = file_path ?? path;
  return typeof named === "string" ? named : undefined;
}

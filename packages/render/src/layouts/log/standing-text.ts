import type { LogEntry } from "@cm/context-log";
import { textOf } from "../../tools/arguments.ts";
import { singleEdits } from "../../tools/replaced-texts.ts";
import { fileAction } from "../../tools/tool-action.ts";

const writtenKeys = [
  "content",
  "file_text",
  "contents",
  "fileText",
  "newText",
  "new_string",
  "new_str",
  "new_text",
  "newString",
] as const;

/**
 * The text whose lines a pointer counts: an output, or the one text that a call writes. Undefined where there is none, or
 * where a call writes several.
 */
export function countedText(entry: LogEntry | undefined, part: string): string | undefined {
  if (entry?.kind === "result") return entry.text ?? undefined;
  if (entry?.kind !== "assistant") return undefined;
  const call = entry.calls[callOfPart(part)];
  if (call === undefined || fileAction(call.tool, call.args).does === "other") return undefined;
  const [edit, ...others] = singleEdits(call.args);
  return edit === undefined || others.length > 0 ? undefined : textOf(edit, ...writtenKeys);
}

/** Which call of an answer a part's arguments are of; 0 for an output. */
export const callOfPart = (part: string): number =>
  part.includes(".") ? Number(part.slice(part.indexOf(".") + 1)) : 0;

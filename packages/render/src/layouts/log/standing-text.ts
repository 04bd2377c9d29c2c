import type { LogEntry } from "@cm/context-log";
import { writtenText } from "@cm/tool-calls";

/**
 * The text whose lines a pointer counts: an output, or the one text that a call writes. Undefined where there is none, or
 * where a call writes several.
 */
export function countedText(entry: LogEntry | undefined, part: string): string | undefined {
  if (entry?.kind === "result") return entry.text ?? undefined;
  if (entry?.kind !== "assistant") return undefined;
  const call = entry.calls[callOfPart(part)];
  return call === undefined ? undefined : writtenText(call.tool, call.args);
}

/** Which call of an answer a part's arguments are of; 0 for an output. */
export const callOfPart = (part: string): number =>
  part.includes(".") ? Number(part.slice(part.indexOf(".") + 1)) : 0;

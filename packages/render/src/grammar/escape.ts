import { fieldPattern, lineBreaks } from "./field.ts";
import { unseenMarks } from "./unseen.ts";

/**
 * Escape, do not detect (T1). A line of foreign text that begins like one of our lines gets a backslash
 * before that beginning; one that already has backslashes there gets one more, so that nothing is lost. Characters
 * that a reader may not see do not hide a beginning.
 */

const lineStart = `(^|[${lineBreaks}])`;
const unseen = `(${unseenMarks})`;

/** How our lines begin; of the alias above a tool's output it is the whole line. */
const openers = [
  "ACTIVE_CONTENT\\b",
  "toolcall_ref\\b",
  "context_resumed\\b",
  "pins_released\\b",
  "left_out chars=",
  "list_objects count=",
  `id=${fieldPattern} type=(?:file|toolcall)\\b`,
  `id=[ft]\\d+${unseenMarks}(?:$|[${lineBreaks}])`,
].join("|");

const toEscape = new RegExp(`${lineStart}${unseen}(\\\\*)(?=${openers})`, "gu");
const escaped = new RegExp(`${lineStart}${unseen}\\\\(\\\\*)(?=${openers})`, "gu");

/** Foreign text as it may stand in a prompt. Text that has none of our beginnings is returned as it is. */
export function escapeText(text: string): string {
  return mayHoldOpener(text) ? text.replace(toEscape, "$1$2\\$3") : text;
}

/** Reverses `escapeText`. */
export function unescapeText(text: string): string {
  return mayHoldOpener(text) ? text.replace(escaped, "$1$2$3") : text;
}

/** A plain search is ten times faster than the expression, and most texts have nothing of ours. */
function mayHoldOpener(text: string): boolean {
  return (
    text.includes("ACTIVE_CONTENT") ||
    text.includes("toolcall_ref") ||
    text.includes("context_resumed") ||
    text.includes("pins_released") ||
    text.includes("left_out chars=") ||
    text.includes("list_objects count=") ||
    text.includes("id=t") ||
    text.includes("id=f") ||
    text.includes(" type=file") ||
    text.includes(" type=toolcall")
  );
}

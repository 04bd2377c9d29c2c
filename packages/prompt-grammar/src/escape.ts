import { fieldPattern, lineBreaks } from "./field.ts";

/**
 * What a reader may not see, within one line, as part of a regular expression with the flag `u`: whatever Unicode calls
 * ignorable, a control, a format, a separator or nothing yet, a mark that combines with what stands before it (at a
 * line's beginning with nothing), the blank of Braille, and what a terminal takes for a colour or a move.
 */
const mark = `(?![${lineBreaks}])[\\p{Default_Ignorable_Code_Point}\\p{C}\\p{Z}\\p{Mn}\\p{Me}\\u2800]`;
const terminalSequence = "(?:\\u001b\\[|\\u009b)[0-?]{0,32}[ -/]{0,8}[@-~]";
const unseenMarks = `(?:${terminalSequence}|${mark})*`;

/** How our lines begin under layouts `ssot`; of the alias above a tool's output it is the whole line. */
const openers = [
  "ACTIVE_CONTENT\\b",
  "toolcall_ref\\b",
  "context_resumed\\b",
  "pins_released\\b",
  "left_out chars=",
  "not_shown count=",
  `id=${fieldPattern} type=(?:file|toolcall)\\b`,
  `id=[ft]\\d+${unseenMarks}(?:$|[${lineBreaks}])`,
].join("|");

/** A plain search is ten times faster than the expression, and most texts have nothing of ours. */
const signs = [
  "ACTIVE_CONTENT",
  "toolcall_ref",
  "context_resumed",
  "pins_released",
  "left_out chars=",
  "not_shown count=",
  "id=t",
  "id=f",
  " type=file",
  " type=toolcall",
];

/** Under layout `log` every line of ours begins with this, stands alone on its line and ends in `]`. */
export const opener = "[cm:";

/** Foreign text as it may stand in a prompt. Text that has none of our beginnings is returned as it is. */
export const [escapeText, unescapeText] = escapes(openers, signs);
/** The same for layout `log`. */
export const [escapeForeign, unescapeForeign] = escapes("\\[cm:", [opener]);

/**
 * Escape, do not detect (T1). A line of foreign text that begins like one of our lines gets a backslash
 * before that beginning; one that already has backslashes there gets one more, so that nothing is lost. Characters
 * that a reader may not see do not hide a beginning.
 */
function escapes(begins: string, signs: readonly string[]): readonly [escape: Change, unescape: Change] {
  const lineStart = `(^|[${lineBreaks}])(${unseenMarks})`;
  const toEscape = new RegExp(`${lineStart}(\\\\*)(?=${begins})`, "gu");
  const escaped = new RegExp(`${lineStart}\\\\(\\\\*)(?=${begins})`, "gu");
  const mayHold = (text: string): boolean => signs.some((sign) => text.includes(sign));
  return [
    (text) => (mayHold(text) ? text.replace(toEscape, "$1$2\\$3") : text),
    (text) => (mayHold(text) ? text.replace(escaped, "$1$2$3") : text),
  ];
}

type Change = (text: string) => string;

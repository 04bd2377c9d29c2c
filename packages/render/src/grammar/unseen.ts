import { lineBreaks } from "./field.ts";

/**
 * What a reader may not see, within one line, as part of a regular expression with the flag `u`: whatever Unicode calls
 * ignorable, a control, a format, a separator or nothing yet, the blank of Braille, and what a terminal takes for a
 * colour or a move.
 */
const mark = `(?![${lineBreaks}])[\\p{Default_Ignorable_Code_Point}\\p{C}\\p{Z}\\u2800]`;
const terminalSequence = "(?:\\u001b\\[|\\u009b)[0-?]{0,32}[ -/]{0,8}[@-~]";
export const unseenMarks = `(?:${terminalSequence}|${mark})*`;

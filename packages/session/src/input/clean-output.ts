import { limits as modelLimits } from "@cm/object-model";
import { limits } from "../limits.ts";
import type { TextCleaner } from "./clean-text.ts";

/**
 * The text of a result as it is stored: whole where an object can hold it, else its two ends and between them a line that
 * says what was not kept. What cannot be kept is not looked at, so that the time is bounded; a little more than what
 * stays is cleaned, so that a secret at the cut is found whole.
 */
export function cleanOutput(raw: string, cleaner: TextCleaner): string {
  if (!passes(raw, limits.outputBytesMax)) {
    const text = cleaner.text(raw);
    // Redaction may have made it longer.
    return passes(text, modelLimits.contentBytesMax) ? endsOf(text, text, text.length) : text;
  }
  const { outputEndChars, outputMarginChars } = limits;
  const looked = outputEndChars + outputMarginChars;
  const first = cleaner.text(raw.slice(0, looked)).slice(0, -outputMarginChars);
  const last = cleaner.text(raw.slice(-looked)).slice(outputMarginChars);
  return endsOf(first, last, raw.length);
}

function endsOf(first: string, last: string, chars: number): string {
  const head = first.slice(0, limits.outputEndChars);
  const tail = last.slice(-limits.outputEndChars);
  const whole = head.slice(0, lineEnd(head));
  const rest = tail.slice(lineStart(tail));
  const said = `[Context Manager: this output had ${figure(chars)} characters; its first ${figure(whole.length)} and its last ${figure(rest.length)} were kept, what stood here was not.]`;
  return `${whole}\n${said}\n${rest}`.toWellFormed();
}

/** Where the last whole line ends, if one does nearby. */
function lineEnd(text: string): number {
  const end = text.lastIndexOf("\n");
  return end < text.length - limits.outputMarginChars ? text.length : end;
}

/** Where the first whole line starts, if one does nearby. */
function lineStart(text: string): number {
  const end = text.indexOf("\n");
  return end < 0 || end >= limits.outputMarginChars ? 0 : end + 1;
}

/** Without counting where the answer is known: a character has one to three bytes. */
function passes(text: string, bytesMax: number): boolean {
  return text.length > bytesMax || (text.length * 3 > bytesMax && Buffer.byteLength(text) > bytesMax);
}

const figure = (count: number): string => count.toLocaleString("en-US");

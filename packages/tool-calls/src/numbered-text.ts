import { printedText } from "./printed-lines.ts";

/** A reading tool's output with a number before each line, as several harnesses print it. */
interface NumberedText {
  /** The lines without their numbers, joined by newlines. */
  readonly body: string;
  readonly firstNumber: number;
  /** What follows the numbered lines: a notice, a reminder. Empty, or beginning with a newline. */
  readonly tail: string;
}

/** `   12→text`, or as `cat -n` prints it. A table's first column must not be taken for line numbers. */
const numberedLine = /^(?: *(?=\d{1,9}→)|(?=[ \d]{6,9}\t) *)(\d{1,9})[→\t]/;
const sparseEvery = 10;

/** Numbers must rise by one from line to line; the first line that breaks this begins the tail. */
export function parseNumbered(text: string): NumberedText | undefined {
  const first = numberedLine.exec(text);
  if (first === null) return undefined;
  const firstNumber = Number(first[1]);
  const body: string[] = [];
  const end = eachNumbered(text, firstNumber, (line) => body.push(line.text));
  return { body: body.join("\n"), firstNumber, tail: text.slice(end) };
}

/** What a tool may say before the numbered lines is no longer. */
const openingCharsMax = 400;

/**
 * The same text with the number on its first line and on every tenth only, below an opening that has none.
 * Nothing else is touched.
 */
export function sparseNumbers(text: string): string {
  const body = startOfBody(text);
  return text.slice(0, body) + sparse(text.slice(body));
}

/** Where numbered lines may begin: at once, below what Codex says first, or below one line. */
function startOfBody(text: string): number {
  if (numberedLine.test(text)) return 0;
  const body = text.length - printedText(text).length || text.indexOf("\n") + 1;
  return body > openingCharsMax ? 0 : body;
}

function sparse(text: string): string {
  const first = numberedLine.exec(text);
  if (first === null) return text;
  const firstNumber = Number(first[1]);
  const lines: string[] = [];
  const end = eachNumbered(text, firstNumber, ({ number, prefix, text: line }) => {
    lines.push(number === firstNumber || number % sparseEvery === 0 ? prefix + line : line);
  });
  return lines.join("\n") + text.slice(end);
}

interface NumberedLine {
  readonly number: number;
  readonly prefix: string;
  readonly text: string;
}

/** Visits the numbered lines at the start of a text and returns where they end, the last newline left to the tail. */
function eachNumbered(text: string, firstNumber: number, visit: (line: NumberedLine) => void): number {
  let start = 0;
  for (let number = firstNumber; start <= text.length; number += 1) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, end);
    const found = numberedLine.exec(line);
    if (found === null || Number(found[1]) !== number) break;
    visit({ number, prefix: found[0], text: line.slice(found[0].length) });
    start = end + 1;
  }
  return Math.min(text.length, Math.max(0, start - 1));
}

export interface TextLine {
  /** As it stands there. */
  readonly whole: string;
  /** Without the number that a tool put before it. */
  readonly text: string;
  /** That number, where there is one. */
  readonly number?: number;
}

/** The lines of a text, with the numbers that a tool put before them apart. */
export function textLines(text: string): readonly TextLine[] {
  const body = startOfBody(text);
  const first = numberedLine.exec(text.slice(body));
  if (first === null) return text.split("\n").map(bareLine);
  const lines: TextLine[] =
    body === 0
      ? []
      : text
          .slice(0, body - 1)
          .split("\n")
          .map(bareLine);
  const numbered = text.slice(body);
  const end = eachNumbered(numbered, Number(first[1]), ({ number, prefix, text: line }) => {
    lines.push({ whole: prefix + line, text: line, number });
  });
  // The last newline is left to what follows.
  return end < numbered.length
    ? [
        ...lines,
        ...numbered
          .slice(end + 1)
          .split("\n")
          .map(bareLine),
      ]
    : lines;
}

const bareLine = (whole: string): TextLine => ({ whole, text: whole });

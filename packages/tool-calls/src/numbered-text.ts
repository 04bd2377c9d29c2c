import { printedText } from "./printed-text.ts";

/** A reading tool's output with a number before each line, as several harnesses print it. */
interface NumberedText {
  /** What a tool says before them. Empty, or ends with a newline, but for an opening of opencode. */
  readonly opening: string;
  /** The lines without their numbers, joined by newlines. */
  readonly body: string;
  readonly firstNumber: number;
  /** What follows the numbered lines: a notice, a reminder. Empty, or beginning with a newline. */
  readonly tail: string;
}

/** `   12→text`, or as `cat -n` prints it. A table's first column must not be taken for line numbers. */
const numberedLine = /^(?: *(?=\d{1,9}→)|(?=[ \d]{6,9}\t) *)(\d{1,9})[→\t]/;
const sparseEvery = 10;

/** How opencode begins a file, and its lines: `00012| text`, `00012 |text` or `12: text`, by its version. */
const opencodeOpening =
  /^(?:<file>|<path>[^\n]{1,1000}<\/path>\n<type>file<\/type>\n<content>)\n?(?=\d{1,9}(?:: |\| | \|))/;
const opencodeLine = /^(\d{1,9})(?:: |\| | \|)/;

/** Numbers must rise by one from line to line; the first line that breaks this begins the tail. */
export function parseNumbered(text: string): NumberedText | undefined {
  const lines = numberedIn(text);
  if (lines === undefined) return undefined;
  const body: string[] = [];
  const end = eachNumbered(text, lines, (line) => body.push(line.text));
  const { start, firstNumber } = lines;
  return { opening: text.slice(0, start), body: body.join("\n"), firstNumber, tail: text.slice(end) };
}

/** What a tool may say before the numbered lines is no longer. */
const openingCharsMax = 400;

/**
 * The same text with the number on its first line and on every tenth only, below an opening that has none.
 * Nothing else is touched.
 */
export function sparseNumbers(text: string): string {
  const numbered = numberedIn(text);
  if (numbered === undefined) return text;
  const lines: string[] = [];
  const end = eachNumbered(text, numbered, ({ number, prefix, text: line }) => {
    lines.push(number === numbered.firstNumber || number % sparseEvery === 0 ? prefix + line : line);
  });
  return text.slice(0, numbered.start) + lines.join("\n") + text.slice(end);
}

/** The first and the last number of a file as opencode shows it. */
export function opencodeNumbers(text: string): { readonly from: number; readonly to: number } | undefined {
  const numbered = numberedIn(text);
  if (numbered?.prefix !== opencodeLine) return undefined;
  let to = numbered.firstNumber;
  eachNumbered(text, numbered, ({ number }) => {
    to = number;
  });
  return { from: numbered.firstNumber, to };
}

interface NumberedLines {
  /** Where the first of them begins in its text. */
  readonly start: number;
  readonly firstNumber: number;
  /** What their numbers look like; the number is its first group. */
  readonly prefix: RegExp;
}

/** Numbered lines may begin at once, below what Codex or opencode say first, or below one line. */
function numberedIn(text: string): NumberedLines | undefined {
  const opened = opencodeOpening.exec(text)?.[0].length;
  const [start, prefix] = opened === undefined ? [startOfBody(text), numberedLine] : [opened, opencodeLine];
  const first = prefix.exec(start === 0 ? text : text.slice(start, start + prefixCharsMax));
  return first === null ? undefined : { start, prefix, firstNumber: Number(first[1]) };
}

/** No number with what is around it is longer. */
const prefixCharsMax = 100;

function startOfBody(text: string): number {
  if (numberedLine.test(text)) return 0;
  const body = text.length - printedText(text).length || text.indexOf("\n") + 1;
  return body > openingCharsMax ? 0 : body;
}

interface NumberedLine {
  readonly number: number;
  readonly prefix: string;
  readonly text: string;
}

/** Visits the numbered lines of a text and returns where they end, the last newline left to the tail. */
function eachNumbered(
  text: string,
  { start: from, firstNumber, prefix }: NumberedLines,
  visit: (line: NumberedLine) => void,
): number {
  let start = from;
  for (let number = firstNumber; start <= text.length; number += 1) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, end);
    const found = prefix.exec(line);
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
  const numbered = numberedIn(text);
  if (numbered === undefined) return text.split("\n").map(bareLine);
  const opening = text.slice(0, numbered.start).split("\n");
  // An older opencode begins its first line behind its opening, in the same line.
  let before = opening.pop() ?? "";
  const lines: TextLine[] = opening.map(bareLine);
  const end = eachNumbered(text, numbered, ({ number, prefix, text: line }) => {
    lines.push({ whole: before + prefix + line, text: line, number });
    before = "";
  });
  // The last newline is left to what follows.
  const rest = end < text.length ? text.slice(end + 1).split("\n") : [];
  return [...lines, ...rest.map(bareLine)];
}

const bareLine = (whole: string): TextLine => ({ whole, text: whole });

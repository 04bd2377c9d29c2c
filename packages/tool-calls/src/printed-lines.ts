import type { JsonObject } from "@cm/object-model";
import { opencodeNumbers } from "./numbered-text.ts";
import { printedText } from "./printed-text.ts";
import { commandInFolder, pathsReadBy, shellCommand } from "./shell-command.ts";
import { saysCut } from "./whole-view.ts";

/** What Codex says where it left out a part in the middle: above the line `Output:`, or below. */
const shortened = /^(?:Warning: truncated output|(?:[A-Z][a-z ]{3,20}: [^\n]{0,200}\n){0,8}Total output lines: \d)/;

/** Lines of a file, counted from 1, both included. */
interface PrintedLines {
  readonly from: number;
  readonly to: number;
}

/**
 * Which lines of its one file a read printed: a shell command such as `sed -n '5,9p' a.ts`, `nl -ba a.ts | sed -n '5,9p'`,
 * `head -n 9 a.ts`, `tail -n +5 a.ts`, the window of SWE-agent, opencode, whose offset counts from 0 or 1 by its
 * version, or Pi, which says where a file goes on. Undefined where that is not sure, and where it began with the first line and the file ended before the last one
 * asked for, for then it is whole.
 */
export function printedLines(args: JsonObject, text: string): PrintedLines | undefined {
  const command = shellCommand(args);
  const printed = printedText(text);
  if (command === undefined) return windowLines(printed) ?? opencodeLines(printed) ?? linesThatGoOn(args, printed);
  if (printed === "" || pathsReadBy(command).length !== 1) return undefined;
  if (shortened.test(text) || shortened.test(printed) || saysCut(printed)) return undefined;
  const asked = askedLines(command);
  if (asked === undefined) return undefined;
  const lines = printed.split("\n").length - (printed.endsWith("\n") ? 1 : 0);
  const last = asked.from + lines - 1;
  return asked.from === 1 && last < asked.to ? undefined : { from: asked.from, to: Math.min(last, asked.to) };
}

const windowHead = /^\[File: [^\n]{1,1000} \(\d+ lines total\)\]\r?\n(?:\((\d{1,9}) more lines above\)\r?\n)?/;

function windowLines(text: string): PrintedLines | undefined {
  const head = windowHead.exec(text);
  if (head === null) return undefined;
  const from = Number(head[1] ?? 0) + 1;
  const lines = text.slice(head[0].length).split("\n");
  const end = lines.findIndex((line, place) => !line.startsWith(`${from + place}:`));
  const count = end < 0 ? lines.length : end;
  return count === 0 ? undefined : { from, to: from + count - 1 };
}

function opencodeLines(text: string): PrintedLines | undefined {
  const shown = opencodeNumbers(text);
  return shown?.from === 1 && !saysCut(text) ? undefined : shown;
}

/** How Pi says below the lines that the file goes on, and where. */
const goesOn =
  /\n\n\[(?:Showing lines (\d{1,9})-\d{1,9} of \d{1,9}[^\]\n]{0,60}|\d{1,9} more lines in file)\. Use offset=(\d{1,9}) to continue\.\]$/;
const goesOnCharsMax = 200;

/** Counted back from where it goes on, which needs no arguments. */
function linesThatGoOn({ offset }: JsonObject, text: string): PrintedLines | undefined {
  const [note, said, next] = goesOn.exec(text.slice(-goesOnCharsMax)) ?? [];
  if (note === undefined || next === undefined) return undefined;
  const to = Number(next) - 1;
  const from = Number(said ?? to + 1 - text.slice(0, -note.length).split("\n").length);
  const isOther = said === undefined && typeof offset === "number" && offset !== from;
  return isOther || from < 1 || to < from ? undefined : { from, to };
}

const stage =
  /^(?:sed\s+-n\s+["']?(?<first>\d{1,9})(?<range>,(?:(?<last>\d{1,9})|\$))?p["']?|(?<head>head)(?:\s+-(?:n\s*)?(?<count>\d{1,9}))?|tail\s+-n\s*\+(?<start>\d{1,9})|cat(?:\s+-n)?|nl(?:\s+-ba)?)(?:\s+(?!-)|$)/;
const headLines = 10;

/** Each command of a pipe takes lines of what the one before it left. `to` is infinite for the file's end. */
function askedLines(command: string): PrintedLines | undefined {
  let asked: PrintedLines = { from: 1, to: Number.POSITIVE_INFINITY };
  for (const [place, words] of commandInFolder(command).rest.split("|").entries()) {
    const part = words.trim();
    const found = stage.exec(part);
    // Only the first command of a pipe names the file.
    if (found === null || (place > 0 && found[0] !== part)) return undefined;
    const { first, range, last, head, count = headLines, start } = found.groups ?? {};
    const from = Number(first ?? start ?? 1);
    const end = head !== undefined ? count : range === undefined ? first : last;
    if (from < 1) return undefined;
    const to = Math.max(from, Number(end ?? Number.POSITIVE_INFINITY));
    asked = { from: asked.from + from - 1, to: Math.min(asked.to, asked.from + to - 1) };
  }
  return asked;
}

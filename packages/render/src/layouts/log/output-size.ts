import type { ResultEntry, ViewObject } from "@cm/context-log";
import { nonEmpty, type SeenSpan } from "@cm/object-model";
import type { LineRange, OutputSize, TextSize } from "@cm/prompt-grammar";
import { printedLines, printedText, textLines, toolAction } from "@cm/tool-calls";

/**
 * How much an output is, and of which file; of a part that was read which lines. What says why nothing was read, lists a
 * folder or stands beside a picture is no text of a file.
 */
export function outputSize(entry: ResultEntry): OutputSize {
  const { tool, args, text, spans, attachments } = entry;
  const action = toolAction(tool, args, entry);
  const printed = printedText(text ?? "");
  if (action.does !== "read" || action.failed === true || attachments.length > 0) return { size: sizeOf(printed) };
  const base = action.path.slice(Math.max(action.path.lastIndexOf("/"), action.path.lastIndexOf("\\")) + 1);
  return { size: printedLines(args, text ?? "") ?? readSize(printed, spans), ...nonEmpty({ file: base }) };
}

/**
 * The same of an output whose call may have left the log: the line that describes the call has the command that was run.
 */
export function shownSize(text: string, { argsDisplay = "", status, spans = [] }: Partial<ViewObject>): TextSize {
  const printed = printedText(text);
  if (status !== "ok") return sizeOf(printed);
  const command = argsDisplay.endsWith("…") ? "" : argsDisplay;
  const lines = printedLines({}, text) ?? printedLines({ command }, text);
  return lines ?? (spans.length === 0 ? sizeOf(printed) : readSize(printed, spans));
}

/** How much of a file was read: which lines, as the tool numbers them or as it was asked; of a whole file how many. */
function readSize(text: string, spans: readonly SeenSpan[]): TextSize {
  const numbered = numbersIn(text);
  if (numbered !== undefined) return numbered.from === 1 ? { lines: numbered.to } : numbered;
  const [span, ...others] = spans;
  if (span === undefined || others.length > 0) return sizeOf(text);
  // The file may end before what was asked for, and a tool may say more below what it read.
  const last = span.start_line + Math.max(1, linesIn(text)) - 1;
  const to = Math.min(span.end_line ?? last, last);
  return span.start_line === 1 && to === last ? sizeOf(text) : { from: span.start_line, to };
}

/** Lines where there are several, else characters. */
export function sizeOf(text: string): TextSize {
  const lines = linesIn(text);
  return lines > 1 ? { lines } : { chars: text.length };
}

export function linesIn(text: string): number {
  if (text === "") return 0;
  let lines = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

/** The lines of a file as its tool numbers them: a reminder of the harness behind them is none. Undefined for none. */
function numbersIn(text: string): LineRange | undefined {
  const numbers = textLines(text).flatMap(({ number }) => number ?? []);
  const [from] = numbers;
  return from === undefined ? undefined : { from, to: from + numbers.length - 1 };
}

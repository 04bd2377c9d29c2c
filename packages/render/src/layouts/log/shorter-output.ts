import {
  type ContextView,
  callOfPart,
  type LogEntry,
  type LogTable,
  type PartForm,
  placeOfPart,
  type RepeatedRun,
  type ResultEntry,
} from "@cm/context-log";
import { sha256 } from "@cm/object-model";
import { escapeForeign, noticeLine } from "@cm/prompt-grammar";
import { sparseNumbers, type TextLine, textLines, writtenText } from "@cm/tool-calls";
import { logPlaces } from "./log-places.ts";

type Pointer = Extract<PartForm, { form: "pointer" }>;

/** How a message's id says it, and all that it depends on besides the entry. */
export function pointerKey(view: ContextView, entry: ResultEntry, { runs }: Pointer): string {
  const gone = runs.filter((run) => baseText(view, run) === undefined).map((run) => run.in);
  // A decision that was recorded has its members in another order.
  const places = runs.map((run) => [run.line, run.count, run.in, run.from, callsAbove(view, entry, run)]);
  return `pointer@${sha256(JSON.stringify([places, gone])).slice(0, 12)}`;
}

/**
 * An output whose repeated lines are left out, each run with a line that says where they stand. Other lines stand as in
 * the sparse form. Where the text that a run points at is gone for good, or is another one, the run stands itself.
 */
export function pointerText(
  view: ContextView,
  entry: ResultEntry,
  {
    runs,
    id,
    text,
    reminder,
  }: Pick<Pointer, "runs"> & { readonly id: string; readonly text: string; readonly reminder: string | undefined },
): string {
  const lines = textLines(text);
  const sparse = sparseText(text, reminder).split("\n");
  const pieces: string[] = [];
  let next = 0;
  const stand = (to: number): void => {
    const end = Math.min(to, sparse.length);
    if (next >= end) return;
    // Behind a line of ours the next number says where the text goes on.
    const [first = "", ...others] = sparse.slice(next, end);
    pieces.push(escapeForeign([pieces.length === 0 ? first : (lines[next]?.whole ?? first), ...others].join("\n")));
  };
  for (const run of runs) {
    const base = baseText(view, run);
    if (base === undefined || run.line + run.count > lines.length) continue;
    stand(run.line);
    next = run.line + run.count;
    pieces.push(runLine(view, entry, { run, id, lines, base: textLines(base) }));
  }
  stand(lines.length);
  return pieces.join("\n");
}

const baseText = (view: ContextView, run: RepeatedRun): string | undefined =>
  countedText(view.log[placeOfPart(run.in)], run.in);

interface RunFacts {
  readonly run: RepeatedRun;
  readonly id: string;
  readonly lines: readonly TextLine[];
  readonly base: readonly TextLine[];
}

function runLine(view: ContextView, entry: ResultEntry, { run, id, lines, base }: RunFacts): string {
  // As everywhere, what follows the last line break of a text is no line.
  const count = isBehindEnd(lines, run.line + run.count - 1) ? Math.max(1, run.count - 1) : run.count;
  return noticeLine({
    kind: "same-lines",
    same: numbersOf(base, run.from, count),
    where: isWritten(run) ? "written" : "output",
    callsAbove: callsAbove(view, entry, run),
    id,
  });
}

const isWritten = (run: RepeatedRun): boolean => run.in.includes(".");

const callsAbove = (view: ContextView, entry: ResultEntry, run: RepeatedRun): number =>
  logPlaces(view).callsAbove(run.in, entry.at);

/** The empty piece behind the last line break of a text. */
export const isBehindEnd = (lines: readonly TextLine[], place: number): boolean =>
  place > 0 && place === lines.length - 1 && lines[place]?.whole === "";

/** As a tool numbers them, else counted from the first line of the text. */
function numbersOf(
  lines: readonly TextLine[],
  line: number,
  count: number,
): { readonly from: number; readonly to: number } {
  const from = lines[line]?.number ?? line + 1;
  return { from, to: from + count - 1 };
}

/** The closing reminder of a result that the log showed before; undefined where there is none to leave out. */
export function repeatedReminder(view: ContextView, entry: ResultEntry): string | undefined {
  const reminder = closingReminderOf(entry.text ?? "");
  if (reminder === undefined) return undefined;
  return (reminderFirstAt(view, reminder) ?? entry.at) < entry.at ? reminder : undefined;
}

/**
 * A reading tool's output made shorter without touching its content: a line number on every tenth line, and without
 * a closing reminder that stands in the log already.
 */
export function sparseText(text: string, reminder: string | undefined): string {
  return sparseNumbers(reminder === undefined ? text : text.slice(0, text.length - reminder.length));
}

/** A notice that a harness appends to what a tool gave, the same each time. */
const closingReminder = /\n*<system-reminder>(?:(?!<system-reminder>)[\s\S])*<\/system-reminder>\s*$/;

function closingReminderOf(text: string): string | undefined {
  // The expression is slow on long texts without a reminder, and a reminder is short.
  const tail = text.slice(-remindersCharsMax);
  return tail.includes("</system-reminder>") ? closingReminder.exec(tail)?.[0] : undefined;
}

const remindersCharsMax = 2_000;

/** By reminder: where in the log results ended with it, ascending. */
const reminders: LogTable<Map<string, number[]>> = {
  name: "reminders",
  create: () => new Map(),
  update(placesOf, { log }, { from, to }) {
    for (let at = from; at < to; at += 1) {
      const entry = log[at];
      const found = entry?.kind === "result" && entry.text !== null ? closingReminderOf(entry.text) : undefined;
      if (found === undefined) continue;
      const places = placesOf.get(found);
      if (places === undefined) placesOf.set(found, [at]);
      else places.push(at);
    }
  },
};

const reminderFirstAt = (view: ContextView, reminder: string): number | undefined =>
  view.index.table(reminders, view).get(reminder)?.[0];

/**
 * The reminders whose first result is among those that leave the prompt, each with the place that shows it first from then
 * on. A form that left it out has it again there.
 */
export function* returningReminders(
  view: ContextView,
  isLeaving: (place: number) => boolean,
): Generator<{ readonly place: number; readonly reminder: string }> {
  for (const [reminder, [first = 0, ...others]] of view.index.table(reminders, view)) {
    if (!isLeaving(first)) continue;
    const place = others.find((other) => !isLeaving(other));
    if (place !== undefined) yield { place, reminder };
  }
}

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

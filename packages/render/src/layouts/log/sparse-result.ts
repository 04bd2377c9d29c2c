import type { ContextView, LogTable, ResultEntry } from "@cm/context-log";
import { sparseNumbers } from "@cm/tool-calls";

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

/** By reminder: where in the log a result first ended with it. */
const reminders: LogTable<Map<string, number>> = {
  name: "reminders",
  create: () => new Map(),
  update(firstAt, { log }, { from, to }) {
    for (let at = from; at < to; at += 1) {
      const entry = log[at];
      const found = entry?.kind === "result" && entry.text !== null ? closingReminderOf(entry.text) : undefined;
      if (found !== undefined && !firstAt.has(found)) firstAt.set(found, at);
    }
  },
};

const reminderFirstAt = (view: ContextView, reminder: string): number | undefined =>
  view.index.table(reminders, view).get(reminder);

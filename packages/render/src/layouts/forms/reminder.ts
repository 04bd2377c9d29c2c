import type { ContextView, LogTable } from "@cm/context-log";

/** A notice that a harness appends to what a tool gave, the same each time. */
const closingReminder = /\n*<system-reminder>(?:(?!<system-reminder>)[\s\S])*<\/system-reminder>\s*$/;

export function closingReminderOf(text: string): string | undefined {
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
    for (const entry of log.slice(from, to)) {
      const found = entry.kind === "result" && entry.text !== null ? closingReminderOf(entry.text) : undefined;
      if (found !== undefined && !firstAt.has(found)) firstAt.set(found, entry.at);
    }
  },
};

export const reminderFirstAt = (view: ContextView, reminder: string): number | undefined =>
  view.index.table(reminders, view).get(reminder);

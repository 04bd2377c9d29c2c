import type { LogEntry } from "@cm/object-model";

/** A notice that a harness appends to what a tool gave, the same each time. */
const closingReminder = /\n*<system-reminder>(?:(?!<system-reminder>)[\s\S])*<\/system-reminder>\s*$/;

export function closingReminderOf(text: string): string | undefined {
  // The expression is slow on long texts without a reminder, and a reminder is short.
  const tail = text.slice(-remindersCharsMax);
  return tail.includes("</system-reminder>") ? closingReminder.exec(tail)?.[0] : undefined;
}

const remindersCharsMax = 2_000;

interface Reminders {
  read: number;
  readonly firstAt: Map<string, number>;
}

const remindersOfLog = new WeakMap<readonly LogEntry[], Reminders>();

/** Where in the log a result first ended with this reminder. The log only grows, so what was read stays true. */
export function reminderFirstAt(log: readonly LogEntry[], reminder: string): number | undefined {
  const reminders = remindersOfLog.get(log) ?? { read: 0, firstAt: new Map<string, number>() };
  remindersOfLog.set(log, reminders);
  for (; reminders.read < log.length; reminders.read += 1) {
    const entry = log[reminders.read];
    const found = entry?.kind === "result" && entry.text !== null ? closingReminderOf(entry.text) : undefined;
    if (found !== undefined && !reminders.firstAt.has(found)) reminders.firstAt.set(found, reminders.read);
  }
  return reminders.firstAt.get(reminder);
}

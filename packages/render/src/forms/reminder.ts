import type { LogEntry } from "@cm/context-log";
import { keptOfLog } from "../log-messages/kept-of-log.ts";

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

const remindersOfLog = keptOfLog((): Reminders => ({ read: 0, firstAt: new Map() }));

/** Where in the log a result first ended with this reminder. */
export function reminderFirstAt(log: readonly LogEntry[], reminder: string): number | undefined {
  const reminders = remindersOfLog(log);
  for (; reminders.read < log.length; reminders.read += 1) {
    const entry = log[reminders.read];
    const found = entry?.kind === "result" && entry.text !== null ? closingReminderOf(entry.text) : undefined;
    if (found !== undefined && !reminders.firstAt.has(found)) reminders.firstAt.set(found, reminders.read);
  }
  return reminders.firstAt.get(reminder);
}

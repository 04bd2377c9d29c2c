import type { ContextView, ResultEntry } from "@cm/context-log";
import { sparseNumbers } from "../../grammar/numbered-text.ts";
import { closingReminderOf, reminderFirstAt } from "./reminder.ts";

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

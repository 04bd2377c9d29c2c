import { CmError } from "@cm/object-model";
import { countText, momentText, visibleLine, visibleText } from "@cm/terminal-text";
import type { HistoryRow, Managed } from "../managed/managed.ts";
import { tokensOf } from "../text/token-count.ts";
import { commandLimits } from "./command-limits.ts";
import { objectRow } from "./object-row.ts";

/** An object's row, then its text as far as it fits. @throws CmError `pi/not-found` */
export async function showReport(managed: Managed, name: string, cwd: string): Promise<string> {
  const object = await managed.show(name);
  if (object === undefined) throw notFound(name);
  const { text, redactions = 0 } = object;
  const head = [objectRow(object, cwd)];
  if (redactions > 0) head.push(`${countText(redactions)} secrets taken out`);
  if (text === null) return head.join("\n");
  const left = text.length - commandLimits.textCharsMax;
  const shown = visibleText(text.slice(0, commandLimits.textCharsMax));
  return [...head, "", shown, ...(left > 0 ? [`… ${countText(left)} more characters`] : [])].join("\n");
}

/** The versions of an object, newest first. @throws CmError `pi/not-found` */
export async function historyReport(managed: Managed, name: string): Promise<string> {
  const rows = await managed.history(name);
  if (rows.length === 0) throw notFound(name);
  const left = rows.length - commandLimits.versionsMax;
  const shown = rows.slice(0, commandLimits.versionsMax).map(versionRow);
  return [...shown, ...(left > 0 ? [`… ${countText(left)} older`] : [])].join("\n");
}

function versionRow({ validAtMs, charCount, note }: HistoryRow): string {
  const size = charCount === null ? "no text" : tokensOf(charCount);
  const shownNote = note === undefined ? [] : [visibleLine(note, commandLimits.noteCharsMax)];
  return [momentText(validAtMs), size, ...shownNote].join("  ");
}

function notFound(name: string) {
  const shown = visibleLine(name, commandLimits.noteCharsMax);
  return new CmError("pi/not-found", `This session has not met ${shown}; /cm objects lists what it has.`);
}

import type { ContextView, LogEntry } from "@cm/object-model";
import { fileActions, toolAction } from "../../tools/tool-action.ts";
import type { LogParts, Part } from "./parts.ts";

/** Lines shorter than this stand everywhere and say nothing. */
const tellingChars = 8;

/**
 * Objects that hold what the newest edits replaced and nothing in view shows (context-log, "On arrival" 4): for each
 * edit the newest folded part, its own file's first. Texts are searched only when an edit was made, the file's first.
 */
export function missedObjects(view: ContextView, log: LogParts): readonly string[] {
  return newEdits(view, log).flatMap((edit) => holderOf(view, log, edit) ?? []);
}

interface Edit {
  readonly at: number;
  readonly file: number;
  /** The longest line of the text it replaced. */
  readonly line: string;
}

function newEdits(view: ContextView, log: LogParts): readonly Edit[] {
  const edits: Edit[] = [];
  for (let at = view.log.length - 1; at >= 0; at -= 1) {
    const entry = view.log[at];
    if (entry === undefined || entry.step < view.step) break;
    if (entry.kind !== "assistant") continue;
    for (const call of entry.calls) {
      for (const action of fileActions(toolAction(call.tool, call.args))) {
        if (action.does !== "edit") continue;
        const file = log.files.numberOf(action.path, call.files.length === 1 ? call.files[0] : undefined);
        for (const line of action.replaced.map(longestLine)) {
          if (line.length >= tellingChars) edits.push({ at, file, line });
        }
      }
    }
  }
  return edits;
}

function longestLine(text: string): string {
  return text.split("\n").reduce((longest, line) => (line.trim().length > longest.length ? line.trim() : longest), "");
}

function holderOf(view: ContextView, log: LogParts, edit: Edit): string | undefined {
  const ofFile = log.touchOf(edit.file).parts;
  const inView = (part: Part): boolean => view.forms.get(part.key)?.form !== "reference";
  const holds = (part: Part): boolean =>
    part.at < edit.at && part.object !== undefined && contentOf(view.log[part.at], part.key).includes(edit.line);
  if (ofFile.some((part) => inView(part) && holds(part))) return undefined;
  if (log.parts.some((part) => inView(part) && holds(part))) return undefined;
  const isGone = (part: Part): boolean => !part.isArgs && !inView(part) && holds(part);
  return (ofFile.findLast(isGone) ?? log.parts.findLast(isGone))?.object;
}

/** The text of a part as an edit would quote it. */
function contentOf(entry: LogEntry | undefined, key: string): string {
  if (entry?.kind === "resumed" || entry?.kind === "released") return "";
  if (entry?.kind !== "assistant") return entry?.text ?? "";
  const args = entry.calls[Number(key.slice(key.indexOf(".") + 1))]?.args ?? {};
  return textsIn(args).join("\n");
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

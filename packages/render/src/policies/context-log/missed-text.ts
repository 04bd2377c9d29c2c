import type { ContextView } from "@cm/object-model";
import { fileActions, toolAction } from "../../tools/tool-action.ts";
import type { LogParts, Part } from "./parts.ts";
import { type TextPlaces, textPlacesOf, textsOf } from "./text-places.ts";

/** Lines shorter than this stand everywhere and say nothing. */
const tellingChars = 8;

/** An edit of a file whose text was known and out of view. */
export interface Miss {
  readonly file: number;
  /** What holds the text; undefined where only folded arguments do, which nothing brings back. */
  readonly object: string | undefined;
}

/**
 * What the newest edits replaced and nothing in view shows (context-log, "On arrival" 4): for each edit the newest
 * folded part that holds it, its own file's first. Texts are searched only when an edit was made.
 */
export function missesOf(view: ContextView, log: LogParts): readonly Miss[] {
  // At every request, so that an edit finds what came before it indexed.
  const places = textPlacesOf(view, log);
  return newEdits(view, log).flatMap((edit) => missOf(view, places, edit) ?? []);
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

function missOf(view: ContextView, places: TextPlaces, edit: Edit): Miss | undefined {
  const parts = places.mayHold(edit.line);
  const holds = (part: Part): boolean =>
    part.at < edit.at && textsOf(view.log[part.at], part).some((text) => text.includes(edit.line));
  if (parts.some((part) => isInView(view, part) && holds(part))) return undefined;
  const gone = parts.filter(holds);
  if (gone.length === 0) return undefined;
  const texts = gone.filter(({ isArgs }) => !isArgs);
  const ofFile = texts.findLast(
    ({ file, class: kind }) => file === edit.file && (kind === "read" || kind === "recalled"),
  );
  return { file: edit.file, object: (ofFile ?? texts.at(-1))?.object };
}

/** False once a part is folded. */
export const isInView = (view: ContextView, part: Part): boolean => view.forms.get(part.key)?.form !== "reference";

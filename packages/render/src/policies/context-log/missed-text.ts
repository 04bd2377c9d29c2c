import type { ContextView } from "@cm/context-log";
import { fileActions, toolAction } from "../../tools/tool-action.ts";
import type { LogParts, Part } from "./parts.ts";
import { type TextPlaces, textPlacesOf, textsOf } from "./text-places.ts";

/** Lines shorter than this stand everywhere and say nothing. */
const tellingChars = 8;

/** An edit of a file whose text was known and out of view. */
export interface Miss {
  readonly file: number;
  /** The place of the edit's result, where it is brought back. */
  readonly into: number;
  /** What holds the text, undefined where no object does. */
  readonly object: string | undefined;
  /** Only folded arguments of that call do. */
  readonly input?: true;
}

/**
 * What the newest edits replaced and nothing in view shows (SSOT 4.4 (9)): for each edit the newest
 * folded part that holds it, its own file's first. Texts are searched only when an edit was made.
 */
export function missesOf(view: ContextView, log: LogParts): readonly Miss[] {
  // At every request, so that an edit finds what came before it indexed.
  const places = textPlacesOf(view);
  return newEdits(view, log).flatMap((edit) => missOf(view, places, edit) ?? []);
}

interface Edit {
  readonly at: number;
  readonly into: number;
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
      const into = resultOf(view.log, at, call.object);
      if (into === undefined) continue;
      for (const action of fileActions(toolAction(call.tool, call.args))) {
        if (action.does !== "edit") continue;
        const file = log.files.numberOf(action.path, call.files.length === 1 ? call.files[0] : undefined);
        for (const line of action.replaced.map(longestLine)) {
          if (line.length >= tellingChars) edits.push({ at, into, file, line });
        }
      }
    }
  }
  return edits;
}

/** Where the result of a call stands, which comes in the same step. */
function resultOf(log: ContextView["log"], at: number, object: string | undefined): number | undefined {
  for (let place = at + 1; place < log.length; place += 1) {
    const entry = log[place];
    if (entry?.kind === "assistant") return undefined;
    if (entry?.kind === "result" && entry.object === object) return place;
  }
  return undefined;
}

function longestLine(text: string): string {
  return text.split("\n").reduce((longest, line) => (line.trim().length > longest.length ? line.trim() : longest), "");
}

function missOf(view: ContextView, places: TextPlaces, edit: Edit): Miss | undefined {
  const parts = places.mayHold(edit.line);
  const holds = (part: Part): boolean =>
    part.at < edit.at && textsOf(view.log[part.at], part).some((text) => text.includes(edit.line));
  // The newest first: what is edited was seen lately, so that a file that was read a thousand times is seldom searched as
  // often.
  if (parts.findLast((part) => isInView(view, part) && holds(part)) !== undefined) return undefined;
  const ofFile = parts.findLast(
    (part) => part.file === edit.file && (part.class === "read" || part.class === "recalled") && holds(part),
  );
  const found = ofFile ?? parts.findLast((part) => !part.isArgs && holds(part));
  if (found !== undefined) return { file: edit.file, into: edit.into, object: found.object };
  const args = parts.findLast(holds);
  return args === undefined ? undefined : { file: edit.file, into: edit.into, object: args.object, input: true };
}

/** False once a part is folded. */
export const isInView = (view: ContextView, part: Part): boolean => view.forms.get(part.key)?.form !== "reference";

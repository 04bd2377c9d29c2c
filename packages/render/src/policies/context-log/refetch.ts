import { type ContextView, newestResult, type Prices, type Recall, recalledText } from "@cm/context-log";
import { defined } from "@cm/object-model";
import { fileActions, toolAction } from "@cm/tool-calls";
import { isFileInView, isInView } from "../log-index/file-parts.ts";
import type { LogParts } from "../log-index/log-parts.ts";
import { isReadText, type Part } from "../log-index/part.ts";
import { type TextPlaces, textPlacesOf, textsOf } from "../log-index/text-places.ts";
import type { ContextLogConstants } from "./constants.ts";
import type { PromptEstimate } from "./estimate.ts";
import { staysCheap } from "./fold.ts";

export interface Recalls {
  /** Each object that comes back, in this order, and where. */
  readonly recalls: readonly Recall[];
  /** Why, by object. */
  readonly reasons: ReadonlyMap<string, RecallReason>;
  /** What they add to the prompt. */
  readonly chars: number;
}

export type RecallReason = "agent asked for it" | "edit missed it" | "plan was forgotten";

export interface RecallFacts {
  readonly log: LogParts;
  readonly estimate: PromptEstimate;
  readonly prices: Prices;
  readonly settings: { readonly constants: ContextLogConstants; readonly stages: { readonly misses: Misses } };
}

/** What the newest edits replaced and nothing in view shows: it is brought back. */
export type Misses = (view: ContextView, log: LogParts, constants: ContextLogConstants) => readonly FailedEdit[];

/**
 * What is brought back (SSOT 4.4 (9)): objects that a harness asked for, in the newest result; those that the newest edits
 * missed, in the results of these edits, with the other files of their plan; all but the first as far as the guard allows.
 */
export function recallsOf(view: ContextView, facts: RecallFacts): Recalls {
  const { log, settings } = facts;
  const { constants } = settings;
  const reasons = new Map<string, RecallReason>();
  const recalls: Recall[] = [];
  let chars = 0;
  const recall = (wanted: Recall, reason: RecallReason): number => {
    const { object: id } = wanted;
    const more = charsOf(view, wanted);
    const isFree = reason === "agent asked for it";
    if (more === undefined || reasons.has(id) || !(isFree || isAffordable(view, facts, chars + more))) return 0;
    reasons.set(id, reason);
    recalls.push(wanted);
    chars += more;
    return more;
  };
  // Sorted, because the order of the set is that of its history.
  const into = view.sets.requested.size === 0 ? -1 : newestResult(view.log);
  if (into >= 0) for (const object of [...view.sets.requested].sort()) recall({ object, into }, "agent asked for it");
  const misses = settings.stages.misses(view, log, constants);
  for (const { object, into, input } of misses) {
    if (object === undefined) continue;
    const missed = { object, into, ...defined({ input }) };
    if ((charsOf(view, missed) ?? 0) <= constants.missedCharsMax) recall(missed, "edit missed it");
  }
  let left = constants.planCharsMax;
  for (const forgotten of forgottenObjects(view, log, misses)) {
    const more = charsOf(view, forgotten) ?? 0;
    if (more <= Math.min(left, constants.planFileCharsMax)) left -= recall(forgotten, "plan was forgotten");
  }
  return { recalls, reasons, chars };
}

function isAffordable(view: ContextView, { log, estimate, prices, settings }: RecallFacts, chars: number): boolean {
  const total = estimate.chars + chars;
  const guard = { prices, constants: settings.constants };
  return staysCheap(view, guard, { plainChars: log.plainChars, managed: { kept: estimate.sentChars, total } });
}

/** Undefined where the view has no text to bring back. */
function charsOf(view: ContextView, recall: Recall): number | undefined {
  return recalledText(view, recall)?.text.length;
}

/** An edit of a file whose text was known and out of view. */
export interface FailedEdit {
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
export function failedEditsOf(view: ContextView, log: LogParts, constants: ContextLogConstants): readonly FailedEdit[] {
  // At every request, so that an edit finds what came before it indexed.
  const places = textPlacesOf(view);
  return newEdits(view, log, constants).flatMap((edit) => failedEditOf(view, places, edit) ?? []);
}

interface Edit {
  readonly at: number;
  readonly into: number;
  readonly file: number;
  /** The longest line of the text it replaced. */
  readonly line: string;
}

function newEdits(view: ContextView, log: LogParts, { tellingChars }: ContextLogConstants): readonly Edit[] {
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

function failedEditOf(view: ContextView, places: TextPlaces, edit: Edit): FailedEdit | undefined {
  const parts = places.mayHold(edit.line);
  const holds = (part: Part): boolean =>
    part.at < edit.at && textsOf(view.log[part.at], part).some((text) => text.includes(edit.line));
  // The newest first: what is edited was seen lately, so that a file that was read a thousand times is seldom searched as
  // often.
  if (parts.findLast((part) => isInView(view, part) && holds(part)) !== undefined) return undefined;
  const ofFile = parts.findLast((part) => part.file === edit.file && isReadText(part) && holds(part));
  const found = ofFile ?? parts.findLast((part) => !part.isArgs && holds(part));
  if (found !== undefined) return { file: edit.file, into: edit.into, object: found.object };
  const args = parts.findLast(holds);
  return args === undefined ? undefined : { file: edit.file, into: edit.into, object: args.object, input: true };
}

/**
 * The other files of a plan that was forgotten: an edit missed its text, so those that were once edited together with
 * its file are likely to be edited next. Of each file that nothing in view shows, the newest text that was read.
 */
function forgottenObjects(view: ContextView, log: LogParts, misses: readonly FailedEdit[]): readonly Recall[] {
  return misses.flatMap(({ file, into }) =>
    log.coEdits.partnersOf(file).flatMap((partner) => {
      if (isFileInView(view, partner)) return [];
      const object = log.touchOf(partner).parts.findLast((part) => part.object !== undefined)?.object;
      return object === undefined ? [] : [{ object, into }];
    }),
  );
}

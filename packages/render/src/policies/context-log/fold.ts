import type { ContextView, PartForm } from "@cm/context-log";
import { servedBefore } from "../../cost/served-before.ts";
import { bestCut, type CutFacts } from "./cut.ts";
import { staysCheap } from "./guard.ts";
import { charsIn } from "./open-parts.ts";
import { type Part, partsOf, worthFolding } from "./parts.ts";
import type { ContextLogSettings } from "./presets.ts";
import { type Ground, isDead, isMember, type Standing } from "./standing.ts";

export interface Fold {
  /** The first entry that changes. */
  readonly cut: number;
  readonly reason: "rent" | "cold" | "person";
  /** Parts that become references. */
  readonly parts: readonly Part[];
  /** Arguments of edits that lose the text they replaced, where text is rewritten anyway. */
  readonly shortened: readonly Part[];
}

/** What the guard weighs a fold against. */
export interface FoldSizes {
  /** Length of the plain log. */
  readonly plainChars: number;
  /** What this request recalls. */
  readonly appendedChars: number;
}

/**
 * The folds that this request would make, the best one first: all that is dead when the cache is cold or a person asks for
 * it, else what rent or purchase says. A fold reaches back to what the agent let go, where the guard allows it.
 */
export function chooseFolds(view: ContextView, facts: CutFacts): readonly Fold[] {
  const { ground, settings } = facts;
  if (settings.foldsNow) return foldOf(view, ground.open, { reason: "person", settings });
  if (view.cache === "cold") return foldOf(view, ground.open, { reason: "cold", settings });
  const cut = bestCut(view, facts);
  if (cut === undefined) return [];
  const released = view.sets.dismissed.size === 0 ? undefined : firstReleased(view, facts);
  const starts = released === undefined || released.before >= cut.from.before ? [cut.from] : [released, cut.from];
  return starts.flatMap((start) => {
    const behind = ground.open.filter((standing) => standing.before >= start.before);
    return foldOf(view, behind, { reason: "rent", settings });
  });
}

/** The first part that the agent let go and that a fold would take. */
function firstReleased(view: ContextView, { ground, settings }: CutFacts): Standing | undefined {
  const log = partsOf(view);
  const isReleased = (standing: Standing): boolean => isMember(view, "dismissed", { log, part: standing.part });
  return ground.open.find((standing) => isFolded(standing, settings.alongShare) && isReleased(standing));
}

/**
 * Whether the guard allows a fold as it will stand, with all that its references keep. Where everything is rewritten
 * anyway, or a person wants it, nothing is compared.
 */
export function mayFold(
  view: ContextView,
  fold: Fold,
  {
    ground,
    prices,
    plainChars,
    appendedChars,
    forms,
  }: CutFacts & FoldSizes & { readonly forms: ReadonlyMap<string, PartForm> },
): boolean {
  if (fold.reason !== "rent") return true;
  const total = ground.chars + appendedChars - savedChars(view, ground, forms);
  const before = ground.open.find(({ part }) => forms.has(part.key))?.before ?? 0;
  const kept = Math.min(before, servedBefore(view, prices)?.(fold.cut) ?? before);
  return staysCheap(view, prices, { plainChars, managed: { kept, total } });
}

/** What forms take from the prompt as it stands, in characters. */
function savedChars(view: ContextView, ground: Ground, forms: ReadonlyMap<string, PartForm>): number {
  let saved = 0;
  for (const { part, chars } of ground.open) {
    const form = forms.get(part.key);
    if (form !== undefined) saved += chars - charsIn(view, part, form);
  }
  return saved;
}

/** How far the clock of a part must have run for a fold to take it along. */
type Along = number;

/** A cold cache has nothing to lose, so nothing but what is dead goes. */
const nothingAlong: Along = Number.POSITIVE_INFINITY;

/**
 * Behind a cut all is written anew, so what has run most of its clock goes along, also what the floor spares: folded now
 * it costs nothing, and a cut of its own later.
 */
const isFolded = (standing: Standing, along: Along): boolean =>
  (isDead(standing) || (standing.isFree && standing.run >= along)) &&
  standing.chars > standing.part.folded + worthFolding;

function foldOf(
  view: ContextView,
  standings: readonly Standing[],
  { reason, settings }: { readonly reason: Fold["reason"]; readonly settings: ContextLogSettings },
): readonly Fold[] {
  const along = reason === "rent" ? settings.alongShare : nothingAlong;
  const parts = standings.filter((standing) => isFolded(standing, along)).map(({ part }) => part);
  const shortened = settings.without.has("replaced")
    ? []
    : standings.filter((standing) => isShortened(view, standing, along));
  if (parts.length === 0 && (reason !== "cold" || shortened.length === 0)) return [];
  const cut = Math.min(parts[0]?.at ?? Number.POSITIVE_INFINITY, shortened[0]?.part.at ?? Number.POSITIVE_INFINITY);
  return [{ cut, reason, parts, shortened: shortened.map(({ part }) => part) }];
}

/** SSOT 4.4 (5): arguments of the current turn are never touched. */
function isShortened(view: ContextView, standing: Standing, along: Along): boolean {
  const { part, form, chars, isProtected } = standing;
  if (isProtected || part.replaced === undefined || part.turn >= view.turn || form?.form === "replaced") return false;
  return !isFolded(standing, along) && chars - part.replaced > worthFolding;
}

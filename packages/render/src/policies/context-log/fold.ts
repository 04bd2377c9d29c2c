import type { ContextView, PartForm, Prices } from "@cm/object-model";
import { servedBefore } from "../../cost/served-before.ts";
import { bestCut } from "./cut.ts";
import { staysCheap } from "./guard.ts";
import type { ContextLogSettings } from "./ideas.ts";
import { charsIn } from "./open-parts.ts";
import { type Part, worthFolding } from "./parts.ts";
import { type Ground, isDead, type Standing } from "./standing.ts";

export interface Fold {
  /** The first entry that changes. */
  readonly cut: number;
  readonly reason: "rent" | "cold";
  /** Parts that become references. */
  readonly parts: readonly Part[];
  /** Arguments of edits that lose the text they replaced, where text is rewritten anyway. */
  readonly shortened: readonly Part[];
}

export interface FoldFacts {
  readonly ground: Ground;
  readonly prices: Prices;
  readonly settings: ContextLogSettings;
  /** Length of the plain log. */
  readonly plainChars: number;
  /** What this request recalls. */
  readonly appendedChars: number;
}

/** The fold that this request would make, if any: all that is dead when the cache is cold, else what rent-or-buy says. */
export function chooseFold(view: ContextView, facts: FoldFacts): Fold | undefined {
  const { ground } = facts;
  if (view.cache === "cold") return foldOf(view, ground.open, { reason: "cold", settings: facts.settings });
  const cut = bestCut(view, facts);
  if (cut === undefined) return undefined;
  const behind = ground.open.filter((standing) => standing.before >= cut.from.before);
  return foldOf(view, behind, { reason: "rent", settings: facts.settings });
}

/**
 * Whether the guard allows a fold as it will stand, with all that its references keep. Where everything is rewritten
 * anyway, nothing is compared.
 */
export function mayFold(
  view: ContextView,
  fold: Fold,
  { ground, prices, plainChars, appendedChars, forms }: FoldFacts & { readonly forms: ReadonlyMap<string, PartForm> },
): boolean {
  if (fold.reason === "cold") return true;
  const total = ground.chars + appendedChars - savedChars(view, ground, forms);
  const before = ground.open.find(({ part }) => forms.has(part.key))?.before ?? 0;
  const kept = Math.min(before, servedBefore(view, prices)?.(fold.cut) ?? before);
  return staysCheap(view, prices, { plainChars, managed: { kept, total } });
}

/** What forms take from the prompt as it stands, in characters. */
export function savedChars(view: ContextView, ground: Ground, forms: ReadonlyMap<string, PartForm>): number {
  let saved = 0;
  for (const { part, chars } of ground.open) {
    const form = forms.get(part.key);
    if (form !== undefined) saved += chars - charsIn(view, part, form);
  }
  return saved;
}

const isFolded = (standing: Standing): boolean =>
  isDead(standing) && standing.chars > standing.part.folded + worthFolding;

function foldOf(
  view: ContextView,
  standings: readonly Standing[],
  { reason, settings }: { readonly reason: Fold["reason"]; readonly settings: ContextLogSettings },
): Fold | undefined {
  const parts = standings.filter(isFolded).map(({ part }) => part);
  const shortened = settings.without.has("replaced") ? [] : standings.filter((standing) => isShortened(view, standing));
  if (parts.length === 0 && (reason === "rent" || shortened.length === 0)) return undefined;
  const cut = Math.min(parts[0]?.at ?? Number.POSITIVE_INFINITY, shortened[0]?.part.at ?? Number.POSITIVE_INFINITY);
  return { cut, reason, parts, shortened: shortened.map(({ part }) => part) };
}

/** Design 7.5: arguments of the current turn are never touched. */
function isShortened(view: ContextView, standing: Standing): boolean {
  const { part, form, chars } = standing;
  if (part.replaced === undefined || part.turn >= view.turn || form?.form === "replaced") return false;
  return !isFolded(standing) && chars - part.replaced > worthFolding;
}

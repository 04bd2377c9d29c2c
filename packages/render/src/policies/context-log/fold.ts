import type { ContextView, Prices } from "@cm/object-model";
import { servedBefore } from "../../cost/served-before.ts";
import { bestCut } from "./cut.ts";
import { type PromptSize, staysCheap } from "./guard.ts";
import type { ContextLogSettings } from "./ideas.ts";
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

/** The fold that this request makes, if any: all that is dead when the cache is cold, else what rent-or-buy says. */
export function chooseFold(view: ContextView, facts: FoldFacts): Fold | undefined {
  const { ground, prices, plainChars } = facts;
  if (view.cache === "cold") return foldOf(view, ground.open, { reason: "cold", settings: facts.settings });
  const cut = bestCut(view, facts);
  if (cut === undefined) return undefined;
  const behind = ground.open.filter((standing) => standing.before >= cut.from.before);
  const fold = foldOf(view, behind, { reason: "rent", settings: facts.settings });
  if (fold === undefined) return undefined;
  const total = sizeAfter(behind, facts);
  const kept = Math.min(cut.from.before, servedBefore(view, prices)?.(fold.cut) ?? cut.from.before);
  const managed: PromptSize = { kept, total };
  return staysCheap(view, prices, { plainChars, managed }) ? fold : undefined;
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
  const first =
    reason === "cold"
      ? (standings.find((one) => isFolded(one) || shortened.includes(one))?.part ?? parts[0])
      : parts[0];
  if (first === undefined) return undefined;
  return { cut: first.at, reason, parts, shortened: shortened.map(({ part }) => part) };
}

/** Design 7.5: arguments of the current turn are never touched. */
function isShortened(view: ContextView, standing: Standing): boolean {
  const { part, form, chars } = standing;
  if (part.replaced === undefined || part.turn >= view.turn || form?.form === "replaced") return false;
  return !isFolded(standing) && chars - part.replaced > worthFolding;
}

/** With bare references: what names take beside them is little, and known only afterwards. */
function sizeAfter(behind: readonly Standing[], { ground, appendedChars }: FoldFacts): number {
  return behind
    .filter(isFolded)
    .reduce((sum, { chars, part }) => sum - chars + part.folded, ground.chars + appendedChars);
}

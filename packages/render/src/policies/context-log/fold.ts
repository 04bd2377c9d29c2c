import type { ContextView, PartForm, Prices } from "@cm/object-model";
import { bestCut } from "./cut.ts";
import { type PromptSize, staysCheap } from "./guard.ts";
import { worthFolding } from "./parts.ts";
import { type Ground, isDead, type Standing } from "./standing.ts";

/** The form of what is folded. */
export const referenceForm: PartForm = { form: "reference" };

export interface Fold {
  /** The first entry that changes. */
  readonly cut: number;
  readonly reason: "rent" | "cold";
  /** Keys of the parts that become references. */
  readonly parts: readonly string[];
}

export interface FoldFacts {
  readonly ground: Ground;
  /** Length of the plain log. */
  readonly plainChars: number;
  /** What this request recalls. */
  readonly appendedChars: number;
}

/** The fold that this request makes, if any: all that is dead when the cache is cold, else what rent-or-buy says. */
export function chooseFold(view: ContextView, prices: Prices, facts: FoldFacts): Fold | undefined {
  const { open } = facts.ground;
  if (view.cache === "cold") return foldOf(open.filter(isFolded), "cold");
  const cut = bestCut(view, facts.ground, prices);
  if (cut === undefined || cut.gain < 0) return undefined;
  const parts = open.filter((standing) => standing.before >= cut.from.before && isFolded(standing));
  const managed = sizeAfter(parts, facts);
  return staysCheap(view, prices, { plainChars: facts.plainChars, managed }) ? foldOf(parts, "rent") : undefined;
}

const isFolded = (standing: Standing): boolean =>
  isDead(standing) && standing.chars > standing.part.folded + worthFolding;

function foldOf(parts: readonly Standing[], reason: Fold["reason"]): Fold | undefined {
  const [first] = parts;
  return first === undefined ? undefined : { cut: first.part.at, reason, parts: parts.map(({ part }) => part.key) };
}

function sizeAfter(parts: readonly Standing[], { ground, appendedChars }: FoldFacts): PromptSize {
  const total = parts.reduce((sum, { chars, part }) => sum - chars + part.folded, ground.chars + appendedChars);
  return { kept: parts[0]?.before ?? 0, total };
}

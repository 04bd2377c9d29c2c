import type { ContextLogIdea } from "./ideas.ts";
import type { ProtectedParts } from "./protection.ts";

/**
 * Calls after which a part is dead: in its own turn, in the next one, and later (SSOT 4.4 (5)). None
 * is under 2, so that the newest calls are always whole.
 */
export type Limits = readonly [number, number, number];

/** The clock of each class of text. */
export interface Clocks {
  readonly brief: Limits;
  readonly change: Limits;
  /** Of a read that waits for its edit: through the whole turn. */
  readonly waiting: Limits;
  /** Of a read whose edit was made. */
  readonly used: Limits;
  readonly changeArgs: Limits;
}

/** How soon text folds: what is chosen between cost and need. */
export interface Pace {
  readonly clocks: Clocks;
  /** Living file text that is spared from folding, as a share of the plain log. */
  readonly floor: number;
  /** How far the clock of a part has run, as a share of its limit, that a fold takes along. */
  readonly alongShare: number;
}

const usual: Clocks = {
  brief: [3, 3, 3],
  change: [5, 5, 5],
  waiting: [60, 8, 5],
  used: [4, 4, 4],
  changeArgs: [60, 30, 20],
};
const short: Clocks = { ...usual, brief: [2, 2, 2], used: [3, 3, 3], changeArgs: [40, 20, 15] };

/** `careful` keeps more text than `default`, `lean` less. */
export const contextLogPresets = {
  careful: { clocks: usual, floor: 0.2, alongShare: 0.7 },
  default: { clocks: usual, floor: 0.14, alongShare: 0.7 },
  lean: { clocks: short, floor: 0.085, alongShare: 0.5 },
} as const satisfies Record<string, Pace>;

export type ContextLogPreset = keyof typeof contextLogPresets;

/** What a policy was made with. */
export interface ContextLogSettings extends Pace {
  readonly without: ReadonlySet<ContextLogIdea>;
  readonly protection: ProtectedParts;
  /** All that may be folded counts as dead: somebody asked for a fold. */
  readonly foldsNow: boolean;
}

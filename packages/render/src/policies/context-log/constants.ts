/**
 * Calls after which a part is expired: in its own turn, in the next one, and later (SSOT 4.4 (5)). None
 * is under 2, so that the newest calls are always whole.
 */
export type Limits = readonly [number, number, number];

/** The clock of each class of text. Other values were tried (docs/experiments/what-a-fold-keeps.md): within half a point. */
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
  /** File text that is retained though its clock has run down, as a share of the plain log. */
  readonly retentionBudget: number;
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

/** `careful` keeps more text than `default`, `lean` less. Chosen over nine recorded sessions (decision 52). */
export const contextLogPresets = {
  careful: { clocks: usual, retentionBudget: 0.2, alongShare: 0.7 },
  default: { clocks: usual, retentionBudget: 0.14, alongShare: 0.7 },
  lean: { clocks: short, retentionBudget: 0.085, alongShare: 0.5 },
} as const satisfies Record<string, Pace>;

export type ContextLogPreset = keyof typeof contextLogPresets;

/** What all presets share. Where no source stands, the number comes from the simulations before the first build. */
const shared = {
  /** Arrival. Shorter texts are left as they are: a reference would save little and cost the reader a look back. */
  repeatCharsMin: 200,
  diffCharsMin: 800,
  /** A diff must be shorter than this share of the text. */
  diffShareMax: 0.6,
  /** How many earlier reads of the file are compared, newest first. */
  earlierReadsMax: 4,
  /** What a tool says before it shows the changed text: one line that is no longer. */
  openingCharsMax: 400,

  /** Retention. Steps before which not even an evicted part is expired: the newest calls are always whole. */
  wholeSteps: 2,
  /** A part of so many characters counts as overdue twice over. From 1,500 to 10,000 make no difference (decision 52). */
  charsPerRun: 3_000,
  /** What each file that was once edited together with a part's own takes off (decision 52). */
  partnerShare: 1,

  /** Cut. Parts shorter than this never pay for a cut; they are folded along where text is rewritten anyway. */
  cutCharsMin: 300,
  /** Below 1, because a cut that pays today saves again at each later request. 0.7 and 0.5 were tried (decision 52). */
  priceShare: 0.6,
  /** What a cut costs beside the text behind it, in characters. */
  cutChars: 2_000,

  /** Guard (SSOT 4.4 (6), decision 76). Of what the plain log costs, what a session may cost. */
  regretShare: 1.02,
  /** So many calls' carrying is lent to a fold, but nothing in the first requests: a short session would not earn it back. */
  carriedCalls: 4,
  shortRequests: 8,

  /** Refetch. Lines shorter than this stand everywhere and say nothing. */
  tellingChars: 8,
  /** Files of a forgotten plan are guesses: so much of each, and of all of them at one request (decision 52). */
  planFileCharsMax: 3_000,
  planCharsMax: 6_000,
} as const;

export type ContextLogConstants = Pace & { readonly [Name in keyof typeof shared]: number };

export const contextLogConstants = (preset: ContextLogPreset = "default"): ContextLogConstants => ({
  ...contextLogPresets[preset],
  ...shared,
});

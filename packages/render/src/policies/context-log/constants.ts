import { defaultPrices, type Prices } from "@cm/context-log";

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
  /**
   * The same where its turn edited nothing: that turn only gathered, and the next one is likely to edit. In its own turn as
   * `waiting`, since an edit may still come.
   */
  readonly gathered: Limits;
  /** Of a read whose edit was made. */
  readonly used: Limits;
  readonly changeArgs: Limits;
}

/** How soon text folds: what is chosen between cost and need. */
export interface Pace {
  readonly clocks: Clocks;
  /** File text that is retained though its clock has run down, as a share of the plain log. */
  readonly retentionBudget: number;
}

const usual: Clocks = {
  brief: [3, 3, 3],
  change: [5, 5, 5],
  waiting: [60, 12, 8],
  gathered: [60, 60, 8],
  used: [4, 4, 4],
  changeArgs: [60, 30, 20],
};

/**
 * A preset differs from its neighbour in the clock of one kind of text alone: where several differ, folds fall at other calls, and a session can
 * cost more under the leaner one (decisions 122, 163). `careful` keeps what the agent wrote through the next turn, `lean` keeps
 * less long, in its own turn, what it read and has not edited.
 */
export const contextLogPresets = {
  careful: { clocks: { ...usual, changeArgs: [60, 90, 20] }, retentionBudget: 0 },
  default: { clocks: usual, retentionBudget: 0 },
  lean: { clocks: { ...usual, waiting: [42, 12, 8], gathered: [42, 42, 8] }, retentionBudget: 0 },
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
  /** Repeated lines: texts that are looked at, runs that a line replaces, and what they must save, also as a share. */
  pointedCharsMin: 400,
  runLinesMin: 10,
  pointerCharsMin: 750,
  pointerShareMin: 0.03,
  /** Of an earlier text so much must be repeated: it stays in view as long as what points at it. */
  baseShareMin: 0.5,
  /** Of a text that was asked for by its lines so much may be pointed at, in lines. */
  rangeShareMax: 0.5,

  /** Retention. Steps before which not even an evicted part is expired: the newest calls are always whole. */
  wholeSteps: 2,
  /** A part of so many characters counts as overdue twice over. From 1,500 to 10,000 make no difference (decision 52). */
  charsPerRun: 3_000,
  /** What each file that was once edited together with a part's own takes off (decision 52). */
  partnerShare: 1,

  /** Fold. How far the clock of a part has run, as a share of its limit, that a fold takes along (decision 122). */
  alongShare: 0.4,
  /** The same where the guard refused every fold of a request, and whether it is asked again then (decision 159). */
  tightAlongShare: 0.2,
  triesTighter: true,
  /**
   * Arguments of so many of the newest calls stay while their turn lasts: a model takes the calls of the turn that it is in
   * for an example (decision 158).
   */
  wholeArgsSteps: 10,

  /** Cut. Parts shorter than this never pay for a cut; they are folded along where text is rewritten anyway. */
  cutCharsMin: 300,
  /** Below 1, because a cut that pays today saves again at each later request. 0.5 and 0.6 were tried (decision 100). */
  priceShare: 0.7,
  /** At all prices: dearer reads would make cuts cheap, and let text go that is missed later, at dearer reads. */
  cutPrices: defaultPrices,
  /** What a cut costs beside the text behind it, in characters. */
  cutChars: 4_000,
  /** A session that was billed more than this share of the plain log has credit: so many calls of rent (decision 100). */
  creditShare: 0.95,
  creditCalls: 10,

  /** Guard (SSOT 4.4 (6), decision 100). Of what the plain log costs, what a session may cost. */
  regretShare: 1.02,
  /** So many calls' carrying is lent to a fold at most, but nothing in the first requests: a short session would not earn it back. */
  lentCallsMax: 8,
  shortRequests: 8,
  /** A session that has so many requests is within the bound wherever it ends: no later one is lent anything. */
  settledRequests: 25,
  /** So many cuts are tried, until the guard allows one. */
  cutsTried: 12,

  /** Refetch. Lines shorter than this stand everywhere and say nothing. */
  tellingChars: 8,
  /** A longer text is not brought back for a line of it: the agent asks for the lines that it needs (decision 157). */
  missedCharsMax: 20_000,
  /** Files of a forgotten plan are guesses: so much of each, and of all of them at one request (decision 52). */
  planFileCharsMax: 3_000,
  planCharsMax: 6_000,
} as const;

export type ContextLogConstants = Pace & {
  readonly [Name in keyof typeof shared]: (typeof shared)[Name] extends number
    ? number
    : (typeof shared)[Name] extends boolean
      ? boolean
      : Prices;
};

export const contextLogConstants = (preset: ContextLogPreset = "default"): ContextLogConstants => ({
  ...contextLogPresets[preset],
  ...shared,
});

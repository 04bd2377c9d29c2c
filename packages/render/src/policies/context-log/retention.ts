import type { ContextView } from "@cm/context-log";
import type { Clock, ClockOf } from "../log-index/candidate-rows.ts";
import type { LogParts } from "../log-index/log-parts.ts";
import type { Part } from "../log-index/part.ts";
import type { Clocks, ContextLogConstants, Limits } from "./constants.ts";

/** Never, by clock or budget. */
export const retained = Number.POSITIVE_INFINITY;

/** When parts expire by their clocks: it follows from the log, so that nothing has to be remembered. */
export function expiryOf({ clocks }: Pick<ContextLogConstants, "clocks">): ClockOf {
  return (log, part): Clock => {
    const touch = part.file === undefined || part.class === "brief" ? undefined : log.touches[part.file];
    const from = touch !== undefined && touch.step > part.step ? touch : part;
    const limits = clocks[clockNameOf(log, part, from.turn)];
    const phase = phaseOf(log.turnSteps, from.turn);
    const expiredAt = expiryStep(log.turnSteps, from, limits);
    return { expiredAt, setAt: from.step, turn: from.turn, limit: limits[phase] };
  };
}

/** SSOT 4.4 (5): of the current turn, arguments of the newest calls stay, and those beside thinking, which a provider asks for. */
export const isBound: IsBound = (part, { turn, step }, { wholeArgsSteps }) =>
  part.isArgs && part.turn >= turn && (part.isBesideThinking || part.step + wholeArgsSteps > step);

/** Whether a part is left alone at a request, because it is arguments of the turn that lasts. */
export type IsBound = (
  part: Part,
  view: Pick<ContextView, "turn" | "step">,
  constants: Pick<ContextLogConstants, "wholeArgsSteps">,
) => boolean;

/** @param setIn the turn in which the clock was set */
function clockNameOf(log: LogParts, part: Part, setIn: number): keyof Clocks {
  switch (part.class) {
    case "change":
      return "change";
    case "change-args":
      return "changeArgs";
    case "read":
    case "recalled": {
      const edited = part.file === undefined ? -1 : (log.touches[part.file]?.editedAt ?? -1);
      if (edited > part.at) return "used";
      return log.editedTurns.has(setIn) ? "waiting" : "gathered";
    }
    default:
      return "brief";
  }
}

/** 0 in the turn where the clock was set, 1 in the next, 2 later. */
function phaseOf(turnSteps: readonly number[], turn: number): 0 | 1 | 2 {
  const turns = turnSteps.length - 1 - turn;
  return turns <= 0 ? 0 : turns === 1 ? 1 : 2;
}

/**
 * The step since which the part is expired without a break. A turn that begins changes the limit: it can let expire at once
 * what would have waited on, and retain what a longer limit allows.
 */
function expiryStep(
  turnSteps: readonly number[],
  from: { readonly step: number; readonly turn: number },
  limits: Limits,
): number {
  let phase = phaseOf(turnSteps, from.turn);
  let begin = beginOf(turnSteps, from, phase);
  let expired = Math.max(begin, from.step + limits[phase]);
  while (expired === begin && phase > 0) {
    phase = phase === 2 ? 1 : 0;
    const before = beginOf(turnSteps, from, phase);
    const expiredBefore = Math.max(before, from.step + limits[phase]);
    if (expiredBefore >= begin) break;
    begin = before;
    expired = expiredBefore;
  }
  return expired;
}

function beginOf(
  turnSteps: readonly number[],
  from: { readonly step: number; readonly turn: number },
  phase: 0 | 1 | 2,
): number {
  return phase === 0 ? from.step : (turnSteps[from.turn + phase] ?? from.step);
}

/** File text in order of the log, a row for each kind of number. */
export interface BudgetRows {
  readonly length: number;
  /** False for what is no file text: that is passed over. */
  readonly isFileText: readonly boolean[];
  readonly steps: readonly number[];
  readonly chars: readonly number[];
  /** The step since which a part is expired; `retained` for what stays, and for what the budget retains from here on. */
  readonly expiredAt: number[];
}

export interface BudgetOptions {
  readonly budgetChars: number;
  readonly mayRetain: (index: number) => boolean;
  /** What is retained first: the smaller the sooner. */
  readonly rankOf: (index: number) => number;
}

/**
 * Retains file text that is expired by its clock while all retained file text together is within the budget, the
 * smallest rank first, and stops at the first part that does not fit. The budget is the one knob between cost and need.
 */
export function retainWithinBudget(rows: BudgetRows, { budgetChars, mayRetain, rankOf }: BudgetOptions): void {
  const { isFileText, chars, expiredAt } = rows;
  // Of two with equal ranks the newer one is retained first.
  const expired: number[] = [];
  let kept = 0;
  for (let index = rows.length - 1; index >= 0; index -= 1) {
    if (isFileText[index] !== true) continue;
    if (expiredAt[index] === retained) kept += chars[index] ?? 0;
    else if (mayRetain(index)) expired.push(index);
  }
  if (expired.length === 0) return;
  if (budgetChars === 0) {
    // None fits, and none is preferred to another.
    delayCost(rows, { evicted: expired, kept, budgetChars });
    return;
  }
  const ranks = expired.map((index) => rankOf(index));
  const cut = cutOf(rows, { expired, ranks }, budgetChars - kept);
  const doubtful: { readonly index: number; readonly rank: number }[] = [];
  for (let place = 0; place < expired.length; place += 1) {
    const index = expired[place] ?? 0;
    const rank = ranks[place] ?? 0;
    if (bucketOf(rank) >= cut) {
      doubtful.push({ index, rank });
      continue;
    }
    expiredAt[index] = retained;
    kept += chars[index] ?? 0;
  }
  doubtful.sort((a, b) => a.rank - b.rank);
  let fits = 0;
  for (const { index } of doubtful) {
    const more = chars[index] ?? 0;
    if (kept + more > budgetChars) break;
    expiredAt[index] = retained;
    kept += more;
    fits += 1;
  }
  const evicted = doubtful.slice(fits).map(({ index }) => index);
  delayCost(rows, { evicted, kept, budgetChars });
}

/** Ranks are told apart so finely before they are sorted, and those above all together. */
const bucketsPerRank = 8;
const bucketsMax = 2_048;

const bucketOf = (rank: number): number => Math.min(bucketsMax - 1, Math.floor(rank * bucketsPerRank));

/** The first bucket that does not fit whole: what lies below it is retained, and only the rest has to be sorted. */
function cutOf(
  { chars }: BudgetRows,
  { expired, ranks }: { readonly expired: readonly number[]; readonly ranks: readonly number[] },
  charsMax: number,
): number {
  const inBucket = new Array<number>(bucketsMax).fill(0);
  for (let place = 0; place < expired.length; place += 1) {
    const bucket = bucketOf(ranks[place] ?? 0);
    inBucket[bucket] = (inBucket[bucket] ?? 0) + (chars[expired[place] ?? 0] ?? 0);
  }
  let sum = 0;
  const cut = inBucket.findIndex((more) => {
    sum += more;
    return sum > charsMax;
  });
  return cut < 0 ? bucketsMax : cut;
}

/**
 * A part pays rent only since the budget has no room for it. That was when the newest of what is preferred to it came;
 * what is preferred and was folded since is not counted, so rent is rather late than early.
 */
function delayCost(
  { length, isFileText, steps, chars, expiredAt }: BudgetRows,
  { evicted, ...facts }: { readonly evicted: readonly number[]; readonly kept: number; readonly budgetChars: number },
): void {
  let { kept } = facts;
  let newest = length - 1;
  let full = 0;
  const dates: number[] = [];
  for (const index of evicted) {
    kept += chars[index] ?? 0;
    for (; newest >= 0 && kept > facts.budgetChars; newest -= 1) {
      if (isFileText[newest] !== true || expiredAt[newest] !== retained) continue;
      kept -= chars[newest] ?? 0;
      full = steps[newest] ?? 0;
    }
    dates.push(full);
  }
  for (const [place, index] of evicted.entries()) expiredAt[index] = Math.max(expiredAt[index] ?? 0, dates[place] ?? 0);
}

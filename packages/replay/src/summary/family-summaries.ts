import { defined } from "@cm/object-model";
import type { RunResult } from "../results/run-result.ts";
import { bootstrap, type Intervals } from "./bootstrap.ts";
import { type Figures, meanOf, type Ratios, ratiosOf, totalOf } from "./session-figures.ts";

/** The results of a policy at one price over the sessions of one family of agents, or over all sessions. */
export interface FamilySummary {
  /** The agent that wrote the recordings, as their format; undefined for all families together. */
  readonly family?: string;
  readonly policy: string;
  readonly pricing?: string;
  readonly sessions: number;
  readonly calls: number;
  /** Sums over sums, which long sessions rule. */
  readonly total: Figures;
  /** Each session alike. */
  readonly mean: Figures;
  /** The session that was billed the largest share. */
  readonly worst: { readonly share: number; readonly file: string };
  /** The dearest share at which any of the sessions could have been cut off, after so many calls, 25 or more. */
  readonly cutOff?: { readonly share: number; readonly calls: number; readonly file: string };
  /** Needed texts that were out of view, the different files of each session that they are of, and these sessions. */
  readonly missed: { readonly texts: number; readonly files?: number; readonly sessions: number };
  /** From the 5th to the 95th per cent of 1,000 draws of the sessions; undefined for one session. */
  readonly intervals?: { readonly total: Intervals; readonly mean: Intervals };
}

/** For each family in order of first use, and then for all where there are several, one summary per policy and price. */
export function familySummaries(runs: readonly RunResult[]): readonly FamilySummary[] {
  const families = familiesOf(runs);
  const apart = families.flatMap((family) => summaries(runs.filter((run) => (run.family ?? "") === family)));
  return families.length === 1 ? apart : [...apart, ...summaries(runs).map(({ family: _one, ...all }) => all)];
}

/** Each family once, empty for runs that name none. */
function familiesOf(runs: readonly Pick<RunResult, "family">[]): readonly string[] {
  return [...new Set(runs.map(({ family = "" }) => family))];
}

function summaries(runs: readonly RunResult[]): readonly FamilySummary[] {
  const groups = Map.groupBy(runs, ({ policy, pricing }) => JSON.stringify([policy, pricing]));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [summary(first, group)];
  });
}

function summary({ family, policy, pricing }: RunResult, runs: readonly RunResult[]): FamilySummary {
  const ratios: readonly Ratios[] = runs.map(ratiosOf);
  return {
    ...defined({ family, pricing }),
    policy,
    sessions: runs.length,
    calls: runs.reduce((sum, { calls }) => sum + calls.length, 0),
    total: totalOf(ratios),
    mean: meanOf(ratios),
    worst: worstOf(runs),
    missed: missedOf(runs),
    ...defined({ cutOff: cutOffOf(runs), intervals: bootstrap(ratios) }),
  };
}

function worstOf(runs: readonly RunResult[]): FamilySummary["worst"] {
  const all = runs.map(({ file, totals }) => ({ share: totals.billedShare, file }));
  return all.reduce((worst, one) => (one.share > worst.share ? one : worst));
}

function cutOffOf(runs: readonly RunResult[]): FamilySummary["cutOff"] {
  const all = runs.flatMap(({ file, totals: { cutOffShare: share, cutOffCalls: calls } }) =>
    share === undefined || calls === undefined ? [] : [{ share, calls, file }],
  );
  return all.toSorted((a, b) => b.share - a.share)[0];
}

function missedOf(runs: readonly RunResult[]): FamilySummary["missed"] {
  const missed = runs.map(({ totals }) => totals.needed - totals.neededMet);
  const known = runs.every(({ totals }) => totals.missedFiles !== undefined);
  const files = runs.reduce((sum, { totals }) => sum + (totals.missedFiles ?? 0), 0);
  return {
    texts: missed.reduce((sum, texts) => sum + texts, 0),
    ...(known ? { files } : {}),
    sessions: missed.filter((texts) => texts > 0).length,
  };
}

import type { RunResult } from "@cm/replay";

/** One line of the tables: one session under one policy, or all sessions of one policy. */
export interface ResultRow {
  readonly policy: string;
  /** Name of the prices. */
  readonly pricing: string | undefined;
  readonly calls: number;
  readonly billedShare: number;
  /** Undefined, as the counts of names, where a run was counted without it. */
  readonly faultedShare: number | undefined;
  readonly sentShare: number;
  readonly cachedShare: number;
  readonly peakChars: number;
  readonly neededMet: number;
  readonly needed: number;
  readonly missedFiles: number | undefined;
  readonly union: number | undefined;
  readonly unionMet: number | undefined;
  readonly cited: number | undefined;
  readonly citedMet: number | undefined;
  readonly citedInLine: number | undefined;
  readonly copied: number | undefined;
  readonly copiedMet: number | undefined;
  /** The dearest share after any call from the 25th on, of any of the sessions. */
  readonly cutOffShare: number | undefined;
  readonly seconds: number;
}

/** All runs of one session, in the order in which they were made. */
export interface SessionRuns {
  readonly file: string;
  readonly recording: string;
  readonly runs: readonly RunResult[];
}

export function resultRow(run: RunResult): ResultRow {
  const { billedShare, faultedShare, sentShare, cachedShare, peakChars } = run.totals;
  const { neededMet, needed, cited, citedMet, citedInLine } = run.totals;
  const { missedFiles, union, unionMet, copied, copiedMet, cutOffShare } = run.totals;
  const { policy, pricing, seconds, calls } = run;
  return {
    ...{ policy, pricing, calls: calls.length, billedShare, faultedShare, sentShare, cachedShare, peakChars },
    ...{ neededMet, needed, cited, citedMet, citedInLine, seconds },
    ...{ missedFiles, union, unionMet, copied, copiedMet, cutOffShare },
  };
}

/**
 * One row per policy and prices over all its sessions. Shares are sums over sums, so that a long session counts for
 * more.
 */
export function totalRows(runs: readonly RunResult[]): readonly ResultRow[] {
  const groups = Map.groupBy(runs, ({ policy, pricing }) => JSON.stringify([policy, pricing]));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [totalRow(first, group)];
  });
}

/** The runs by session, in the order of their first runs. Two files may have the same name. */
export function bySession(runs: readonly RunResult[]): readonly SessionRuns[] {
  const groups = Map.groupBy(runs, ({ file, recording }) => JSON.stringify([file, recording]));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [{ file: first.file, recording: first.recording, runs: group }];
  });
}

/** Each policy once, in the order of first use. */
export function policiesOf(runs: readonly RunResult[]): readonly string[] {
  return [...new Set(runs.map((run) => run.policy))];
}

function totalRow({ policy, pricing }: RunResult, runs: readonly RunResult[]): ResultRow {
  const sum = (figure: (run: RunResult) => number) => runs.reduce((total, run) => total + figure(run), 0);
  /** Undefined where a run has no such figure. */
  const known = (figure: (run: RunResult) => number | undefined) =>
    runs.some((run) => figure(run) === undefined) ? undefined : sum((run) => figure(run) ?? 0);
  const sent = sum((run) => sumOfCalls(run, "sentChars"));
  const plainBilled = sum((run) => run.totals.plainBilled);
  const faulted = known(({ totals }) => totals.faultedShare && totals.faultedShare * totals.plainBilled);
  return {
    ...{ policy, pricing },
    calls: sum((run) => run.calls.length),
    billedShare: sum((run) => run.totals.billed) / plainBilled,
    faultedShare: faulted === undefined ? undefined : faulted / plainBilled,
    sentShare: sent / sum((run) => sumOfCalls(run, "plainSentChars")),
    cachedShare: sum((run) => sumOfCalls(run, "cachedChars")) / sent,
    peakChars: runs.reduce((peak, run) => Math.max(peak, run.totals.peakChars), 0),
    neededMet: sum((run) => run.totals.neededMet),
    needed: sum((run) => run.totals.needed),
    missedFiles: known((run) => run.totals.missedFiles),
    union: known((run) => run.totals.union),
    unionMet: known((run) => run.totals.unionMet),
    cited: known((run) => run.totals.cited),
    citedMet: known((run) => run.totals.citedMet),
    citedInLine: known((run) => run.totals.citedInLine),
    copied: known((run) => run.totals.copied),
    copiedMet: known((run) => run.totals.copiedMet),
    cutOffShare: dearest(runs.flatMap((run) => run.totals.cutOffShare ?? [])),
    seconds: sum((run) => run.seconds),
  };
}

function dearest(shares: readonly number[]): number | undefined {
  return shares.length === 0 ? undefined : Math.max(...shares);
}

function sumOfCalls(run: RunResult, figure: "sentChars" | "plainSentChars" | "cachedChars"): number {
  return run.calls.reduce((total, call) => total + call[figure], 0);
}

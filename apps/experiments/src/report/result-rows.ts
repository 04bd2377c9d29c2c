import type { RunResult } from "../replay/run-result.ts";

/** One line of the tables: one session under one policy, or all sessions of one policy. */
export interface ResultRow {
  readonly policy: string;
  readonly calls: number;
  readonly billedShare: number;
  readonly sentShare: number;
  readonly cachedShare: number;
  readonly peakChars: number;
  readonly neededMet: number;
  readonly needed: number;
  readonly seconds: number;
}

/** All runs of one session, in the order in which they were made. */
export interface SessionRuns {
  readonly file: string;
  readonly recording: string;
  readonly runs: readonly RunResult[];
}

export function resultRow(run: RunResult): ResultRow {
  const { billedShare, sentShare, cachedShare, peakChars, neededMet, needed } = run.totals;
  const { policy, seconds, calls } = run;
  return { policy, calls: calls.length, billedShare, sentShare, cachedShare, peakChars, neededMet, needed, seconds };
}

/** One row per policy over all its sessions. Shares are sums over sums, so that a long session counts for more. */
export function totalRows(runs: readonly RunResult[]): readonly ResultRow[] {
  return policiesOf(runs).map((policy) =>
    totalRow(
      policy,
      runs.filter((run) => run.policy === policy),
    ),
  );
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

function totalRow(policy: string, runs: readonly RunResult[]): ResultRow {
  const sum = (figure: (run: RunResult) => number) => runs.reduce((total, run) => total + figure(run), 0);
  const sent = sum((run) => sumOfCalls(run, "sentChars"));
  return {
    policy,
    calls: sum((run) => run.calls.length),
    billedShare: sum((run) => run.totals.billed) / sum((run) => run.totals.plainBilled),
    sentShare: sent / sum((run) => sumOfCalls(run, "plainSentChars")),
    cachedShare: sum((run) => sumOfCalls(run, "cachedChars")) / sent,
    peakChars: runs.reduce((peak, run) => Math.max(peak, run.totals.peakChars), 0),
    neededMet: sum((run) => run.totals.neededMet),
    needed: sum((run) => run.totals.needed),
    seconds: sum((run) => run.seconds),
  };
}

function sumOfCalls(run: RunResult, figure: "sentChars" | "plainSentChars" | "cachedChars"): number {
  return run.calls.reduce((total, call) => total + call[figure], 0);
}

import type { LiveRun } from "./live-result.ts";

/** The common results of a group of live runs. Tokens are the provider's own count. */
export interface LiveSummary {
  readonly runs: number;
  readonly solved: number;
  /** Runs whose task asks for quotes, and those whose quotes are right. */
  readonly asked: number;
  readonly quoted: number;
  readonly requests: number;
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  readonly billed: number;
  readonly seconds: number;
}

export function summarizeLiveRuns(runs: readonly LiveRun[]): LiveSummary {
  const sum = (of: (run: LiveRun) => number) => runs.reduce((total, run) => total + of(run), 0);
  return {
    runs: runs.length,
    solved: runs.filter(({ solved }) => solved).length,
    asked: runs.filter(({ citations }) => citations !== undefined).length,
    quoted: runs.filter(({ citations }) => citations?.ok === true).length,
    requests: sum(({ requests }) => requests),
    input: sum(({ tokens }) => tokens.input),
    cacheRead: sum(({ tokens }) => tokens.cacheRead),
    cacheWrite: sum(({ tokens }) => tokens.cacheWrite),
    output: sum(({ tokens }) => tokens.output),
    billed: sum(({ billed }) => billed),
    seconds: sum(({ seconds }) => seconds),
  };
}

/** Runs by policy, in the order of first use. */
export function byPolicy(runs: readonly LiveRun[]): ReadonlyMap<string, readonly LiveRun[]> {
  return Map.groupBy(runs, ({ policy }) => policy);
}

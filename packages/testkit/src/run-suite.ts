import { defined } from "@cm/object-model";
import { NotAdmittedError } from "./case/admission.ts";
import { type CaseOptions, TimeLimit, timeLimitOf } from "./case/time-limit.ts";
import { limits } from "./limits.ts";
import type { ConformanceCase, ConformanceSuite } from "./suite.ts";

/** Why a case is expected to fail for now. */
export interface KnownGap {
  readonly id: string;
  readonly reason: string;
}

/** `held` and `known-gap` are well; `broken` and `closed-gap` are not: a gap that closed must leave the list. */
export interface CaseResult {
  readonly id: string;
  readonly clause: string;
  readonly title: string;
  /** How long the case took. */
  readonly durationMs: number;
  readonly outcome: "held" | "broken" | "known-gap" | "closed-gap";
  readonly reason?: string;
  readonly error?: unknown;
}

export interface SuiteReport {
  readonly contract: string;
  readonly ok: boolean;
  readonly results: readonly CaseResult[];
}

/** `timeoutMs` counts for each case. */
export interface RunOptions extends CaseOptions {
  readonly knownGaps?: readonly KnownGap[];
  /** Told each result as soon as its case has ended: for progress. What it throws ends the run. */
  readonly onCase?: (result: CaseResult) => void;
}

/**
 * Runs all cases one after the other, with no runner at hand. Known gaps run too and must fail.
 * @throws TypeError for a known gap without a reason, listed twice, or of no case; for a time that no timer can keep; and
 * for a factory that gives no subject of the contract at all
 */
export async function runSuite<Factory>(
  suite: ConformanceSuite<Factory>,
  open: Factory,
  { knownGaps = [], onCase, ...options }: RunOptions = {},
): Promise<SuiteReport> {
  const gaps = gapsById(suite, knownGaps);
  const timeoutMs = timeLimitOf(options);
  const results: CaseResult[] = [];
  for (const one of suite.cases) {
    const result = await resultOf(one, open, { timeoutMs, gap: gaps.get(one.id) });
    results.push(result);
    onCase?.(result);
  }
  const ok = results.every(({ outcome }) => outcome === "held" || outcome === "known-gap");
  return { contract: suite.contract, ok, results };
}

function gapsById<Factory>(suite: ConformanceSuite<Factory>, gaps: readonly KnownGap[]): Map<string, string> {
  const known = new Set(suite.cases.map(({ id }) => id));
  const byId = new Map<string, string>();
  for (const { id, reason } of gaps) {
    if (!known.has(id)) throw new TypeError(`${suite.contract} has no case ${id}; take it off the known gaps.`);
    if (byId.has(id)) throw new TypeError(`The known gap ${id} is listed twice; list it once.`);
    if (reason.trim() === "") throw new TypeError(`The known gap ${id} has no reason; say why it is there.`);
    byId.set(id, reason);
  }
  return byId;
}

interface CaseSetting {
  readonly timeoutMs: number;
  readonly gap: string | undefined;
}

async function resultOf<Factory>(
  one: ConformanceCase<Factory>,
  open: Factory,
  { timeoutMs, gap }: CaseSetting,
): Promise<CaseResult> {
  const { id, clause, title } = one;
  const start = performance.now();
  const facts = () => ({
    ...{ id, clause, title, durationMs: performance.now() - start },
    ...defined({ reason: gap }),
  });
  try {
    await runWithin(one, open, timeoutMs);
    return { ...facts(), outcome: gap === undefined ? "held" : "closed-gap" };
  } catch (error) {
    if (error instanceof NotAdmittedError) throw error;
    return { ...facts(), outcome: gap === undefined ? "broken" : "known-gap", error };
  }
}

/** Our own cases keep their time themselves and say more; those of another suite may not. */
async function runWithin<Factory>(
  { id, run }: ConformanceCase<Factory>,
  open: Factory,
  timeoutMs: number,
): Promise<void> {
  const limit = new TimeLimit(timeoutMs + 2 * limits.closeMs, () => `${id} did not end within ${timeoutMs} ms.`);
  try {
    await limit.wait("", run(open, { timeoutMs }));
  } finally {
    limit.stop();
  }
}

import { defined } from "@cm/object-model";
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
  readonly outcome: "held" | "broken" | "known-gap" | "closed-gap";
  readonly reason?: string;
  readonly error?: unknown;
}

export interface SuiteReport {
  readonly contract: string;
  readonly ok: boolean;
  readonly results: readonly CaseResult[];
}

/**
 * Runs all cases one after the other, with no runner at hand. Known gaps run too and must fail.
 * @throws TypeError for a known gap without a reason, listed twice, or of no case
 */
export async function runSuite<Factory>(
  suite: ConformanceSuite<Factory>,
  open: Factory,
  options: { readonly knownGaps?: readonly KnownGap[] } = {},
): Promise<SuiteReport> {
  const gaps = gapsById(suite, options.knownGaps ?? []);
  const results: CaseResult[] = [];
  for (const one of suite.cases) results.push(await runCase(one, open, gaps.get(one.id)));
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

async function runCase<Factory>(
  { id, clause, title, run }: ConformanceCase<Factory>,
  open: Factory,
  gap: string | undefined,
): Promise<CaseResult> {
  const facts = { id, clause, title, ...defined({ reason: gap }) };
  try {
    await run(open);
    return { ...facts, outcome: gap === undefined ? "held" : "closed-gap" };
  } catch (error) {
    return { ...facts, outcome: gap === undefined ? "broken" : "known-gap", error };
  }
}

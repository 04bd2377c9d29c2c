import type { RunResult, RunTotals } from "@cm/replay";

/** The results of a policy, over one session or several: sums over sums, so that a long session counts for more. */
export interface PolicySummary extends Pick<RunTotals, SummaryFigure> {
  readonly policy: string;
  /** The largest request, as a share of plain's. */
  readonly peakShare: number;
}

/** Figures of one run that stand for several as well; `faultedShare` is the mean by what plain was billed for each. */
type SummaryFigure =
  | "billedShare"
  | "breaksPer100"
  | "neededMet"
  | "needed"
  | "cited"
  | "citedMet"
  | "citedInLine"
  | "faultedShare"
  | "dialogueShare";

/** One standing for each policy, in the order of first use. */
export function policySummaries(runs: readonly RunResult[]): readonly PolicySummary[] {
  return [...Map.groupBy(runs, ({ policy }) => policy)].map(([policy, group]) => summaryOf(policy, group));
}

function summaryOf(policy: string, runs: readonly RunResult[]): PolicySummary {
  const sum = (figure: (run: RunResult) => number) => runs.reduce((total, run) => total + figure(run), 0);
  const plainBilled = sum(({ totals }) => totals.plainBilled);
  const calls = sum((run) => run.calls.length);
  /** Only where every run has the figure: a sum over some of them would compare with nothing. */
  const known = (figure: (totals: RunResult["totals"]) => number | undefined, weight?: (run: RunResult) => number) => {
    if (runs.some(({ totals }) => figure(totals) === undefined)) return undefined;
    return sum((run) => (figure(run.totals) ?? 0) * (weight?.(run) ?? 1));
  };
  const optional = {
    cited: known(({ cited }) => cited),
    citedMet: known(({ citedMet }) => citedMet),
    citedInLine: known(({ citedInLine }) => citedInLine),
    faultedShare: divided(
      known(
        ({ faultedShare }) => faultedShare,
        ({ totals }) => totals.plainBilled,
      ),
      plainBilled,
    ),
    dialogueShare: divided(
      known(({ dialogueShare }) => dialogueShare),
      runs.length,
    ),
  };
  return {
    policy,
    billedShare: sum(({ totals }) => totals.billed) / plainBilled,
    neededMet: sum(({ totals }) => totals.neededMet),
    needed: sum(({ totals }) => totals.needed),
    breaksPer100: sum(({ totals, calls }) => totals.breaksPer100 * calls.length) / calls,
    peakShare: sum(({ totals }) => totals.peakChars) / sum(({ totals }) => totals.plainPeakChars),
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
  };
}

function divided(sum: number | undefined, by: number): number | undefined {
  return sum === undefined ? undefined : sum / by;
}

/** A share of what there was; undefined where there was nothing. */
export function shareOf(met: number | undefined, all: number | undefined): number | undefined {
  return met === undefined || all === undefined || all === 0 ? undefined : met / all;
}

import type { ReadRun } from "@cm/replay";

/** The figures of a comparison of two runs. Shares are of 1; undefined where there was nothing to share. */
export interface ComparedFigures {
  readonly billed: number | undefined;
  readonly faulted: number | undefined;
  readonly needed: number | undefined;
  /** Undefined, as `copied`, also where a run was counted without it. */
  readonly union: number | undefined;
  readonly cited: number | undefined;
  readonly inLine: number | undefined;
  readonly copied: number | undefined;
  /** Per request, not per 100 requests, so that one noise threshold fits all figures. */
  readonly breaks: number | undefined;
}

export type FigureName = keyof ComparedFigures;
export const figureNames: readonly FigureName[] = [
  "billed",
  "faulted",
  "needed",
  "union",
  "cited",
  "inLine",
  "copied",
  "breaks",
];

/** More of these is worse. */
const costs: ReadonlySet<FigureName> = new Set(["billed", "faulted", "breaks"]);

/** Over one run or several: sums over sums. */
export function figuresOf(runs: readonly ReadRun[]): ComparedFigures {
  const sum = (figure: (run: ReadRun) => number) => runs.reduce((total, run) => total + figure(run), 0);
  const plain = sum(({ totals }) => totals.plainBilled);
  const cited = sum(({ totals }) => totals.cited);
  return {
    billed: share(
      sum(({ totals }) => totals.billed),
      plain,
    ),
    faulted: share(
      sum(({ totals }) => totals.faultedShare * totals.plainBilled),
      plain,
    ),
    needed: share(
      sum(({ totals }) => totals.neededMet),
      sum(({ totals }) => totals.needed),
    ),
    union: share(
      sum(({ totals }) => totals.unionMet ?? Number.NaN),
      sum(({ totals }) => totals.union ?? Number.NaN),
    ),
    cited: share(
      sum(({ totals }) => totals.citedMet),
      cited,
    ),
    inLine: share(
      sum(({ totals }) => totals.citedInLine),
      cited,
    ),
    copied: share(
      sum(({ totals }) => totals.copiedMet ?? Number.NaN),
      sum(({ totals }) => totals.copied ?? Number.NaN),
    ),
    breaks: share(
      sum(({ totals, calls }) => (totals.breaksPer100 / 100) * calls),
      sum(({ calls }) => calls),
    ),
  };
}

/** The figures that are worse after than before, by more than `noise`. */
export function worseFigures(before: ComparedFigures, after: ComparedFigures, noise: number): readonly FigureName[] {
  return figureNames.filter((name) => {
    const [was, is] = [before[name], after[name]];
    if (was === undefined || is === undefined) return false;
    return (costs.has(name) ? is - was : was - is) > noise;
  });
}

function share(part: number, whole: number): number | undefined {
  return whole === 0 || Number.isNaN(whole) ? undefined : part / whole;
}

import type { RunResult } from "../results/run-result.ts";

/** What is shared with the plain log, or met of what was wanted; all of 1. */
export const figureNames = ["billed", "faulted", "needed", "union", "cited", "inLine", "copied"] as const;
export type FigureName = (typeof figureNames)[number];

/** Undefined where there was nothing to share, or where a run was counted without it. */
export type Figures = Readonly<Partial<Record<FigureName, number>>>;

/** A share as its two counts. */
interface Ratio {
  readonly part: number;
  readonly whole: number;
}

export type Ratios = Readonly<Record<FigureName, Ratio | undefined>>;

/** The figures of one run, as counts that can be added up. */
export function ratiosOf({ totals }: Pick<RunResult, "totals">): Ratios {
  const { billed, plainBilled, faultedShare, needed, union, cited, copied } = totals;
  return {
    billed: ratio(billed, plainBilled),
    faulted: ratio(faultedShare === undefined ? undefined : faultedShare * plainBilled, plainBilled),
    needed: ratio(totals.neededMet, needed),
    union: ratio(totals.unionMet, union),
    cited: ratio(totals.citedMet, cited),
    inLine: ratio(totals.citedInLine, cited),
    copied: ratio(totals.copiedMet, copied),
  };
}

/** Sums over sums: a long session counts for more. A figure that one of the sessions lacks would compare with nothing. */
export function totalOf(sessions: readonly Ratios[]): Figures {
  return figures((name) => {
    let [part, whole] = [0, 0];
    for (const { [name]: figure } of sessions) {
      if (figure === undefined) return undefined;
      part += figure.part;
      whole += figure.whole;
    }
    return share({ part, whole });
  });
}

/** Each session counts alike, where it has anything to share. */
export function meanOf(sessions: readonly Ratios[]): Figures {
  return figures((name) => {
    let [sum, count] = [0, 0];
    for (const { [name]: figure } of sessions) {
      if (figure === undefined) return undefined;
      const value = share(figure);
      if (value === undefined) continue;
      sum += value;
      count += 1;
    }
    return share({ part: sum, whole: count });
  });
}

export function figures<T>(figure: (name: FigureName) => T | undefined): Readonly<Partial<Record<FigureName, T>>> {
  const found = figureNames.flatMap((name) => {
    const value = figure(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found) as Partial<Record<FigureName, T>>;
}

function ratio(part: number | undefined, whole: number | undefined): Ratio | undefined {
  return part === undefined || whole === undefined ? undefined : { part, whole };
}

function share({ part, whole }: Ratio): number | undefined {
  return whole === 0 ? undefined : part / whole;
}

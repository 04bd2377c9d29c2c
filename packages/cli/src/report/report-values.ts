import { moneyCompared, moneyWithLog, recordedMoney } from "./report-figures.ts";
import type { ReportTerms } from "./report-terms.ts";
import { type Figures, totalsOf } from "./report-totals.ts";
import type { SessionReport } from "./session-report.ts";

/** One session as programs get it; what is not known is null. */
export function reportValue(report: SessionReport, terms: ReportTerms) {
  const { file, session, agent, folder, startedAt, use, warnings } = report;
  return {
    kind: "session" as const,
    ...{ file, session, agent },
    folder: folder ?? null,
    startedAt: startedAt === undefined || Number.isNaN(startedAt.getTime()) ? null : startedAt.toISOString(),
    ...figuresValue(report, terms),
    costWithLog: moneyWithLog(report, terms) ?? null,
    heaviest: use.heaviest.map(({ tool = null, target = null, chars, requests }) => ({
      tool,
      target,
      chars,
      requests,
    })),
    warnings,
  };
}

/** All sessions of a report, its last line. */
export function summaryValue(
  reports: readonly SessionReport[],
  terms: ReportTerms,
  { failed, empty, leftOut }: { readonly failed: number; readonly empty: number; readonly leftOut: readonly string[] },
) {
  const { prices, price } = terms;
  const { sessions, recorded, withLog } = moneyCompared(reports, terms);
  return {
    kind: "summary" as const,
    ...{ sessions: reports.length, failed, empty, leftOut },
    prices: { name: prices.name, read: prices.prices.read, write: prices.prices.write },
    perMillion: price ?? null,
    ...figuresValue(totalsOf(reports), terms),
    compared: sessions === 0 ? null : { sessions, cost: recorded, costWithLog: withLog },
  };
}

function figuresValue(figures: Figures, terms: ReportTerms) {
  const { requests, tokens, plain, withLog, use, edits } = figures;
  const { sentChars, outputChars, unusedChars, outputs, neverUsed } = use;
  return {
    requests,
    tokens: tokens ?? null,
    cost: recordedMoney(figures, terms) ?? null,
    use: { sentChars, outputChars, unusedChars, outputs, neverUsed },
    billedChars: { plain, withLog },
    edits,
  };
}

import type { RecordedTokens } from "./recorded-tokens.ts";
import type { SessionReport } from "./session-report.ts";

/** The figures of a report that one session and all of them have. Shares of all are sums over sums. */
export type Figures = Pick<SessionReport, "requests" | "tokens" | "plain" | "withLog" | "edits"> & {
  readonly use: Omit<SessionReport["use"], "heaviest">;
};

export function totalsOf(reports: readonly SessionReport[]): Figures {
  const sum = (of: (report: SessionReport) => number) => reports.reduce((total, report) => total + of(report), 0);
  return {
    requests: sum(({ requests }) => requests),
    tokens: tokensOf(reports.flatMap(({ tokens }) => tokens ?? [])),
    plain: sum(({ plain }) => plain),
    withLog: sum(({ withLog }) => withLog),
    edits: { needed: sum(({ edits }) => edits.needed), inView: sum(({ edits }) => edits.inView) },
    use: {
      sentChars: sum(({ use }) => use.sentChars),
      outputChars: sum(({ use }) => use.outputChars),
      unusedChars: sum(({ use }) => use.unusedChars),
      outputs: sum(({ use }) => use.outputs),
      neverUsed: sum(({ use }) => use.neverUsed),
    },
  };
}

function tokensOf(tokens: readonly RecordedTokens[]): RecordedTokens | undefined {
  if (tokens.length === 0) return undefined;
  const sum = (of: (one: RecordedTokens) => number) => tokens.reduce((total, one) => total + of(one), 0);
  return {
    requests: sum(({ requests }) => requests),
    shortened: sum(({ shortened }) => shortened),
    input: sum(({ input }) => input),
    cacheRead: sum(({ cacheRead }) => cacheRead),
    cacheWrite: sum(({ cacheWrite }) => cacheWrite),
    output: sum(({ output }) => output),
  };
}

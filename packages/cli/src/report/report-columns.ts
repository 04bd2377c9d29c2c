import { isoText } from "@cm/terminal-text";
import { countText } from "../requests/request-words.ts";
import { inputTokens } from "./recorded-tokens.ts";
import {
  cachedText,
  moneyCompared,
  moneyText,
  moneyWithLog,
  recordedMoney,
  shareText,
  shareWithLog,
  tokensText,
  unusedShare,
} from "./report-figures.ts";
import type { ReportTerms } from "./report-terms.ts";
import { type Figures, totalsOf } from "./report-totals.ts";
import type { SessionReport } from "./session-report.ts";

/** How a figure was got: from the file, or by a replay. */
export type Basis = "measured" | "estimate";

export interface ReportColumn {
  readonly title: string;
  readonly basis: Basis;
  /** What it means, for a first-time reader. */
  readonly meaning: string;
  /** Left out where the terminal is narrow. */
  readonly wide?: true;
  readonly cell: (figures: Figures, terms: ReportTerms) => string;
  /** Of all sessions together. */
  readonly total: (reports: readonly SessionReport[], terms: ReportTerms) => string;
}

/** A column whose total is the figure of all sessions' sums. */
type SummedColumn = Omit<ReportColumn, "total">;

/** The columns of figures, those without a figure for any session left out. */
export function reportColumns(all: readonly SessionReport[], terms: ReportTerms): readonly ReportColumn[] {
  const columns = [...counted, ...tokensOut(all)].map(summed);
  return [...columns, ...(terms.price === undefined ? [] : inMoney), ...estimated.map(summed)].filter(({ cell }) =>
    all.some((figures) => cell(figures, terms) !== ""),
  );
}

const summed = (column: SummedColumn): ReportColumn => ({
  ...column,
  total: (reports, terms) => column.cell(totalsOf(reports), terms),
});

const counted: readonly SummedColumn[] = [
  {
    ...{ title: "requests", basis: "measured", meaning: "How often the agent asked the model." },
    cell: ({ requests }) => countText(requests),
  },
  {
    ...{ title: "tokens in", basis: "measured" },
    meaning:
      "Tokens that the model read in all these requests together, by the provider's count. Every request carries the conversation so far once more. k are thousands, M millions.",
    cell: ({ tokens }) => (tokens === undefined ? "" : tokensText(inputTokens(tokens))),
  },
  {
    ...{ title: "cached", basis: "measured", wide: true },
    meaning: "The part of these tokens that the provider had in its cache, which costs less.",
    cell: cachedText,
  },
];

function tokensOut(all: readonly SessionReport[]): readonly SummedColumn[] {
  const early = all.some(({ agent }) => agent === "claude-code")
    ? " Claude Code often does so while an answer has only begun, so that it wrote more."
    : "";
  return [
    {
      ...{ title: "tokens out", basis: "measured", wide: true },
      meaning: `Tokens that the model wrote, as the agent put them down.${early}`,
      cell: ({ tokens }) => (tokens === undefined ? "" : tokensText(tokens.output)),
    },
  ];
}

const inMoney: readonly ReportColumn[] = [
  {
    ...{ title: "cost", basis: "measured" },
    meaning: "The recorded tokens at the prices that you gave, those from the cache at their share of it.",
    cell: (figures, terms) => moneyIn(recordedMoney(figures, terms)),
    total: (reports, terms) => moneyIn(recordedMoney(totalsOf(reports), terms)),
  },
  {
    ...{ title: "cost with CM", basis: "estimate" },
    meaning:
      "The same cost if its input had been the share in the last column. Empty where that cannot be told, because the agent shortened the conversation itself.",
    cell: (figures, terms) => moneyIn(moneyWithLog(figures, terms)),
    total: (reports, terms) => {
      const { withLog, sessions } = moneyCompared(reports, terms);
      const isWhole = sessions === reports.filter(({ tokens }) => tokens !== undefined).length;
      return isWhole && sessions > 0 ? moneyText(withLog) : "";
    },
  },
];

const estimated: readonly SummedColumn[] = [
  {
    ...{ title: "not used", basis: "estimate" },
    meaning:
      "The part of all requests that was output of tools (files, commands, searches) after its last use: no later edit changed a line of it, and no later answer repeated a name or a line that only it had told. What the model merely kept in mind cannot be seen in a file.",
    cell: (figures) => shareText(unusedShare(figures)),
  },
  {
    ...{ title: "with CM", basis: "estimate" },
    meaning:
      "What the tokens in would have cost with CM's context log, against the same conversation carried whole in every request (100 %).",
    cell: (figures) => shareText(shareWithLog(figures)),
  },
];

const moneyIn = (money: { readonly total: number } | undefined): string =>
  money === undefined ? "" : moneyText(money.total);

/** How people recognise a session: its day, its folder, the start of its id. */
export function sessionName({ startedAt, folder, session }: SessionReport): string {
  const day = startedAt === undefined ? "" : isoText(startedAt).slice(0, 10);
  return [day, folder ?? "", session.slice(0, 8)].filter((part) => part !== "").join(" ");
}

const agents: Readonly<Record<SessionReport["agent"], string>> = {
  pi: "Pi",
  "claude-code": "Claude Code",
  codex: "Codex",
  opencode: "opencode",
  "swe-agent": "SWE-agent",
};

export const agentName = ({ agent }: SessionReport): string => agents[agent];

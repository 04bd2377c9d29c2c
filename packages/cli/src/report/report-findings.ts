import { counted } from "@cm/terminal-text";
import { countText, percentText } from "../requests/request-words.ts";
import { inputTokens } from "./recorded-tokens.ts";
import type { Basis } from "./report-columns.ts";
import {
  moneyCompared,
  moneyText,
  recordedMoney,
  shareText,
  shareWithLog,
  tokensText,
  unusedShare,
} from "./report-figures.ts";
import type { ReportTerms } from "./report-terms.ts";
import { type Figures, totalsOf } from "./report-totals.ts";
import type { SessionReport } from "./session-report.ts";

export interface Finding {
  readonly basis: Basis;
  readonly text: string;
}

export const whatCmIs =
  "Context Manager (CM) decides what the requests of a coding agent carry. Its context log takes output of tools out of them once it has probably served, leaves a line in its place, and brings it back when it is needed again. It runs in the Pi coding agent (@cm/pi-extension) and in programs of your own (@cm/session); for sessions of other agents the estimates say what it would have done there.";

/** What became of the data, which is the first thing that people ask of a program that reads their sessions. */
export const whatHappenedToData =
  "Nothing was sent anywhere, no model was asked, and no session was stored: the files were read on this machine and replayed in memory.";

/** What the sessions say together, the measured first. */
export function findings(reports: readonly SessionReport[], terms: ReportTerms): readonly Finding[] {
  const all = totalsOf(reports);
  return [
    { basis: "measured", text: tokensFinding(all, terms) },
    { basis: "estimate", text: unusedFinding(all) },
    {
      basis: "estimate",
      text: [shareFinding(all, terms), moneyFinding(reports, terms)].filter((one) => one !== "").join(" "),
    },
    ...(all.edits.needed === 0 ? [] : [{ basis: "estimate" as const, text: editsFinding(all) }]),
    ...shortenedFinding(reports),
  ];
}

function tokensFinding(all: Figures, terms: ReportTerms): string {
  const { requests, tokens } = all;
  const asked = counted(requests, "request");
  if (tokens === undefined) return `${asked} to a model. The agent wrote down no tokens, so there is no cost to tell.`;
  const cached = percentText(tokens.cacheRead, inputTokens(tokens)) || "none";
  const some = tokens.requests < requests ? ` (tokens are counted for ${countText(tokens.requests)} of them)` : "";
  const money = recordedMoney(all, terms);
  const cost =
    money === undefined
      ? ""
      : ` At your prices that is ${moneyText(money.total)}: ${moneyText(money.input)} for what it read and ${moneyText(money.output)} for what it wrote.`;
  return `In ${asked}${some} the model read ${tokensText(inputTokens(tokens))} tokens, ${cached} of them from the provider's cache, and wrote at least ${tokensText(tokens.output)}.${cost}`;
}

function unusedFinding({ use }: Pick<Figures, "use">): string {
  if (use.outputs === 0) return "No tools were used, so no output of tools was carried along.";
  const never = `${countText(use.neverUsed)} of ${counted(use.outputs, "output")} left no trace in any answer`;
  return `${shareText(unusedShare({ use }))} of what the requests carried was output of tools after its last use. ${never}.`;
}

function shareFinding(all: Figures, { prices: { name, prices } }: ReportTerms): string {
  return `With CM, what the model read would have cost ${shareText(shareWithLog(all))} of what it costs when every request carries the whole conversation, at ${name} prices (a token from the cache counts ${rounded(prices.read)}, a new one ${rounded(prices.write)}).`;
}

function moneyFinding(reports: readonly SessionReport[], terms: ReportTerms): string {
  const { sessions, recorded, withLog } = moneyCompared(reports, terms);
  if (sessions === 0) return "";
  const which = sessions === reports.length ? "" : `, for the ${counted(sessions, "session")} where that can be told`;
  return `That is about ${moneyText(withLog)} in place of ${moneyText(recorded)}, output included${which}.`;
}

function editsFinding({ edits: { needed, inView } }: Figures): string {
  const rest = needed - inView;
  const again = rest === 0 ? "" : ` Fetching it again for the other ${rest} is counted in.`;
  return `${counted(needed, "edit")} changed text that the conversation had shown; with CM ${inView === needed ? "all of them" : `${countText(inView)} of them`} still had it in their request.${again}`;
}

function shortenedFinding(reports: readonly SessionReport[]): readonly Finding[] {
  const sessions = reports.filter(({ tokens }) => (tokens?.shortened ?? 0) > 0).length;
  if (sessions === 0) return [];
  const where = reports.length === 1 ? "In this session" : `In ${counted(sessions, "session")}`;
  return [
    {
      basis: "measured",
      text: `${where} the agent shortened the conversation itself (compaction, or going back), so it did not carry all of it; the estimates are about the whole conversation.`,
    },
  ];
}

const rounded = (price: number): string => `${Number(price.toPrecision(3))}`;

import { countText, percentText } from "../requests/request-words.ts";
import { inputTokens, moneyOf } from "./recorded-tokens.ts";
import type { ReportTerms } from "./report-terms.ts";
import type { Figures } from "./report-totals.ts";

/** `8,214`, `12.3k`, `4.56M`: tokens as they fit a table. */
export function tokensText(tokens: number): string {
  if (tokens < 10_000) return countText(tokens);
  const [value, unit] = tokens < 999_500 ? [tokens / 1e3, "k"] : [tokens / 1e6, "M"];
  return `${value >= 1_000 ? countText(value) : value.toPrecision(3)}${unit}`;
}

/** `1,204.50`; the currency is the user's. */
export function moneyText(amount: number): string {
  if (amount > 0 && amount < 0.01) return "< 0.01";
  const cents = Math.round(amount * 100);
  return `${countText(Math.floor(cents / 100))}.${`${cents % 100}`.padStart(2, "0")}`;
}

export interface Money {
  readonly input: number;
  readonly output: number;
  readonly total: number;
}

/** What the recorded tokens cost; undefined without a price, and without counts. */
export function recordedMoney({ tokens }: Figures, { price, prices }: ReportTerms): Money | undefined {
  if (tokens === undefined || price === undefined) return undefined;
  const { input, output } = moneyOf(tokens, { price, prices: prices.prices });
  return { input, output, total: input + output };
}

/**
 * The same with the context log, whose share of the input's cost is the replay's. Undefined where the agent shortened the
 * conversation itself: the share is one of the whole conversation, which it did not send.
 */
export function moneyWithLog(figures: Figures, terms: ReportTerms): Money | undefined {
  const recorded = recordedMoney(figures, terms);
  if (recorded === undefined || (figures.tokens?.shortened ?? 0) > 0) return undefined;
  const input = recorded.input * shareWithLog(figures);
  return { input, output: recorded.output, total: input + recorded.output };
}

/** What those sessions cost, and would have cost, of which both can be told. */
export function moneyCompared(
  all: readonly Figures[],
  terms: ReportTerms,
): { readonly sessions: number; readonly recorded: number; readonly withLog: number } {
  const sum = { sessions: 0, recorded: 0, withLog: 0 };
  for (const figures of all) {
    const recorded = recordedMoney(figures, terms);
    const withLog = moneyWithLog(figures, terms);
    if (recorded === undefined || withLog === undefined) continue;
    sum.sessions += 1;
    sum.recorded += recorded.total;
    sum.withLog += withLog.total;
  }
  return sum;
}

export const shareWithLog = ({ plain, withLog }: Figures): number => (plain > 0 ? withLog / plain : 1);

export const unusedShare = ({ use }: Pick<Figures, "use">): number =>
  use.sentChars > 0 ? use.unusedChars / use.sentChars : 0;

export const cachedText = ({ tokens }: Figures): string =>
  tokens === undefined ? "" : percentText(tokens.cacheRead, inputTokens(tokens));

export const shareText = (share: number): string => `${Math.round(100 * share)} %`;

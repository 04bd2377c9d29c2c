import type { Prices, Usage } from "@cm/context-log";
import type { PastRequest, RequestSummary } from "@cm/session/past";
import { momentText } from "@cm/terminal-text";
import { countText, percentText } from "./request-words.ts";

/** The totals of some requests, as names with values for people. @param requests newest first */
export function totalFields(
  requests: readonly PastRequest[],
  prices: Pick<Prices, "read" | "write">,
): readonly (readonly [string, string])[] {
  const made = requests.flatMap((request) => (request.erased === "step" ? [] : [request]));
  const erased = requests.length - made.length;
  const [newest] = made;
  const oldest = made.at(-1);
  const total = (of: (request: RequestSummary) => number) => made.reduce((sum, request) => sum + of(request), 0);
  const [billed, plain] = [total((request) => request.billed), total((request) => request.plainBilled)];
  const largest = made.reduce((most, { chars }) => Math.max(most, chars), 0);
  return [
    ["requests", `${countText(requests.length)}${eventsText(made)}${erased > 0 ? `, ${erased} erased` : ""}`],
    ["made", newest && oldest ? spanText(momentText(oldest.atMs), momentText(newest.atMs)) : ""],
    ["size", newest ? `${countText(newest.chars)} characters in the newest, ${countText(largest)} at most` : ""],
    ["billed", newest ? billedText(billed, plain) : ""],
    ["prices", newest ? `a character the cache has counts ${prices.read}, a new one ${prices.write}` : ""],
    ["tokens", tokensText(made)],
  ];
}

const spanText = (from: string, to: string): string => (from === to ? from : `${from} to ${to}`);

const billedText = (billed: number, plain: number): string =>
  `${percentText(billed, plain) || "all"} of the plain conversation's input: ${countText(billed)} in place of ${countText(plain)}`;

/** All input, cached or not. */
export const tokensIn = ({ input, cacheRead, cacheWrite }: Usage): number => input + cacheRead + cacheWrite;

function eventsText(made: readonly RequestSummary[]): string {
  const folds = made.filter(({ fold }) => fold !== undefined).length;
  const recalls = made.filter(({ recalls: back }) => back.length > 0).length;
  const parts = [
    ...(folds > 0 ? [`${countText(folds)} folded text`] : []),
    ...(recalls > 0 ? [`${countText(recalls)} brought text back`] : []),
  ];
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

/** As the agent put down what its provider counted, where it did: Claude Code often does so while an answer has only begun. */
function tokensText(made: readonly RequestSummary[]): string {
  const usages = made.flatMap(({ usage }) => usage ?? []);
  const input = usages.reduce((sum, usage) => sum + tokensIn(usage), 0);
  if (input === 0) return "";
  const cached = usages.reduce((sum, { cacheRead }) => sum + cacheRead, 0);
  const output = usages.reduce((sum, one) => sum + one.output, 0);
  return `${countText(input)} in, ${percentText(cached, input) || "none"} of them cached, ${countText(output)} out, as the agent recorded them`;
}

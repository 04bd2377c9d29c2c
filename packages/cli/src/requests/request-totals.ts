import type { Prices } from "@cm/object-model";
import type { PastRequest, RequestSummary } from "@cm/session/past";
import { momentText } from "../output/figures.ts";
import { countText, percentText } from "./request-words.ts";

/** What all of some requests come to, as names with values for people. @param requests newest first */
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
    ["made", newest && oldest ? `${momentText(oldest.atMs)} to ${momentText(newest.atMs)}` : ""],
    ["size", newest ? `${countText(newest.chars)} characters in the newest, ${countText(largest)} at most` : ""],
    [
      "billed",
      newest ? `${countText(billed)} for input, without management ${countText(plain)}${shareText(billed, plain)}` : "",
    ],
    ["prices", newest ? `a character the cache has counts ${prices.read}, a new one ${prices.write}` : ""],
    ["tokens", tokensText(made)],
  ];
}

const shareText = (billed: number, plain: number): string => (plain > 0 ? `: ${percentText(billed, plain)} of it` : "");

function eventsText(made: readonly RequestSummary[]): string {
  const folds = made.filter(({ fold }) => fold !== undefined).length;
  const recalls = made.filter(({ recalls: back }) => back.length > 0).length;
  const parts = [
    ...(folds > 0 ? [`${countText(folds)} folded text`] : []),
    ...(recalls > 0 ? [`${countText(recalls)} brought text back`] : []),
  ];
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

/** As the provider counted them, where it did. */
function tokensText(made: readonly RequestSummary[]): string {
  const usages = made.flatMap(({ usage }) => usage ?? []);
  if (usages.length === 0) return "";
  const input = usages.reduce((sum, one) => sum + one.input + one.cacheRead + one.cacheWrite, 0);
  const cached = usages.reduce((sum, { cacheRead }) => sum + cacheRead, 0);
  const output = usages.reduce((sum, one) => sum + one.output, 0);
  return `${countText(input)} in, ${percentText(cached, input) || "none"} of them cached, ${countText(output)} out, by the provider's count`;
}

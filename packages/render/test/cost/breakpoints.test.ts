// @module-tag long
// Verifies: SSOT 4.6: what a provider bills that caches only where a request marks it.
import {
  breakpointsOf,
  CostMeter,
  type Prices,
  providerPrices,
  type RenderedPrompt,
  servedBefore,
  servedPrefix,
} from "@cm/context-log";
import { replaySession } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { layouts } from "../../src/index.ts";
import { MarkedMeter } from "../support/marked-meter.ts";
import { createRandom } from "../support/random.ts";
import { randomSession } from "../support/random-session.ts";

const { anthropic5m, openaiGpt56 } = providerPrices;

describe.each([
  ["looks back", anthropic5m],
  ["takes marks as they are", openaiGpt56],
] as const)("where the provider %s", (_, prices) => {
  it.each(["plain", "log", "ssot"] as const)("the meter agrees with one that counts bytes: %s", (layout) => {
    const meter = new CostMeter({ prices, headChars: 16_000 });
    const bytes = new MarkedMeter(prices, 16_000);

    for (const prompt of marked(layout, prices)) {
      meter.add(prompt);
      bytes.request(prompt);
    }

    expect(meter.totals.billed).toBeCloseTo(bytes.billed, 3);
    expect(meter.totals.cached).toBe(bytes.cached);
  });

  it("a log that only grows is served whole, however long an answer is", () => {
    const prompts = [...marked("plain", prices)];

    const lost = prompts.filter((prompt, place) => {
      const sent = prompts[place - 1];
      return sent !== undefined && servedPrefix(prompt, sent, prices)?.chars !== prompt.kept.chars;
    });

    expect(lost).toEqual([]);
  });

  it("no more is marked than is allowed, in order, and never behind what the model said", () => {
    for (const { breakpoints = [], messages } of marked("log", prices)) {
      expect(breakpoints.length).toBeLessThanOrEqual(prices.breakpointsMax);
      expect(breakpoints).toEqual([...new Set(breakpoints)].sort((a, b) => a - b));
      expect(breakpoints.filter((place) => messages[place - 1]?.role === "assistant")).toEqual([]);
      expect(breakpoints.at(-1)).toBe(messages.findLastIndex(({ role }) => role !== "assistant") + 1);
    }
  });
});

describe("after a fold", () => {
  const before = promptOf([1, 2, 3, 4, 5, 6], 4);
  const folded = { ...promptOf([1, 2, 3, 14, 15, 16, 7, 8], 3), breakpoints: [0, 3, 6, 8] };

  it("marks stand at the head, the cut that was marked, the end of what was rewritten, and the tail", () => {
    expect(breakpointsOf(folded, { ...before, breakpoints: [0, 3, 6] }, anthropic5m)).toEqual([0, 3, 6, 8]);
  });

  it("and stay there while the log grows, so that the next fold finds them", () => {
    const grown = promptOf([1, 2, 3, 14, 15, 16, 7, 8, 9, 10], 8);

    expect(breakpointsOf(grown, folded, anthropic5m)).toEqual([0, 3, 6, 10]);
  });

  it("what lies before the newest mark is served, the rest up to the cut is not", () => {
    const cutBehindMark = { ...promptOf([1, 2, 3, 14, 15, 16, 7, 18, 9], 7), breakpoints: [0, 6, 7, 9] };

    expect(servedPrefix(cutBehindMark, folded, anthropic5m)).toEqual({ messages: 6, chars: 60 });
    expect(servedPrefix(cutBehindMark, { ...folded, breakpoints: [] }, anthropic5m)).toBeUndefined();
  });

  it("a policy can ask what a cut at an entry would leave in the cache", () => {
    const session = [...replaySession(randomSession(createRandom(3), { steps: 30 }), layouts.plain)].at(-1);
    const sent = session?.view.sent;
    if (session === undefined || sent === undefined) throw new Error("The session is empty.");
    const view = { ...session.view, sent: { ...sent, breakpoints: [0, 10, 20] } };
    const charsOf = (count: number) => sent.messages.slice(0, count).reduce((sum, { chars }) => sum + chars, 0);

    const before = [0, 9, 10, 19, 20, 25].map((at) => servedBefore(view, anthropic5m)?.(at));

    expect(before).toEqual([0, 0, charsOf(10), charsOf(10), charsOf(20), charsOf(20)]);
    expect(servedBefore(view, providerPrices.openaiGpt5)).toBeUndefined();
  });
});

it("What no mark covers is billed as plain input.", () => {
  const meter = new CostMeter({ prices: anthropic5m, headChars: 100 });

  expect(meter.add({ ...promptOf([1, 2, 3], 0), breakpoints: [0, 2] })).toBe(1.25 * 120 + 10);
  expect(meter.add(promptOf([1, 2, 3], 3))).toBe(130);
});

/** The requests of a random session as a session would mark them. */
function* marked(layout: keyof typeof layouts, prices: Prices): Generator<RenderedPrompt> {
  let sent: RenderedPrompt | undefined;
  for (const { prompt } of replaySession(
    randomSession(createRandom(7), { steps: 60, hostile: 0.1 }),
    layouts[layout],
  )) {
    const breakpoints = breakpointsOf(prompt, sent, prices) ?? [];
    sent = { ...prompt, breakpoints };
    yield sent;
  }
}

/** Messages of 10 characters, one for each id. */
function promptOf(ids: readonly number[], kept: number): RenderedPrompt {
  const messages = ids.map((id) => ({ id: `${id}`, role: "user" as const, text: "0123456789", chars: 10 }));
  return { layout: "x", system: "", messages, chars: 10 * ids.length, kept: { messages: kept, chars: 10 * kept } };
}

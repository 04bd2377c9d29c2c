// Verifies: the judge's figures (needed, union, cited, in line, copied, faulted, dialogue, breaks, peak), whatever a request leaves out.
import { defaultPrices, type PromptMessage, type RenderedPrompt } from "@cm/context-log";
import type { RecordedEvent } from "@cm/recordings";
import { SessionMeasure } from "@cm/replay";
import { generatedContent } from "@cm/replay/generated";
import { forSeeds, type Random } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { head, recountRequests } from "../support/recount.ts";
import { recountNeeds } from "../support/recount-needs.ts";

const file = "apps/experiments/test/measure/session-measure.test.ts";

describe("the figures of a session", () => {
  it("are those of a slow recount, for requests that show parts of anything in any form", async () => {
    await forSeeds({ short: 8, long: 400, file }, (random, seed) => {
      const { events } = generatedContent({ seed, calls: 32 });
      const measure = new SessionMeasure({ prices: defaultPrices, headChars: head });
      const requests = measured(measure, events, random);

      const totals = measure.totals();

      const costs = recountRequests(requests, events.map(plainEvent));
      const { faultCost, ...needs } = recountNeeds(requests, events);
      expect(totals).toMatchObject({ needed: needs.needed, neededMet: needs.neededMet, peakChars: costs.peakChars });
      expect(totals).toMatchObject({ cited: needs.cited, citedMet: needs.citedMet, citedInLine: needs.citedInLine });
      expect(totals).toMatchObject({ union: needs.union, unionMet: needs.unionMet, missedFiles: needs.missedFiles });
      expect(totals).toMatchObject({ copied: needs.copied, copiedMet: needs.copiedMet });
      expect(totals.cutOffShare).toBeCloseTo(costs.cutOffShare ?? Number.NaN, 9);
      expect(totals.breaksPer100).toBeCloseTo(costs.breaksPer100, 9);
      expect(totals.billedShare).toBeCloseTo(costs.billedShare, 9);
      expect(totals.faultedShare).toBeCloseTo(costs.billedShare + faultCost / costs.plainCost, 9);
      expect(totals.dialogueShare).toBeCloseTo(needs.dialogueShare, 9);
    });
  });

  it("bills a cold cache as new, on both sides", () => {
    const { events } = generatedContent({ seed: 1, calls: 2 });
    const measure = new SessionMeasure({ prices: { read: 0, write: 1 }, headChars: 0 });
    const [first, second] = events.flatMap((event, at) => (event.kind === "assistant" ? [{ event, at }] : []));
    if (first === undefined || second === undefined) throw new Error("no calls");

    const cost = [first, second].map(({ event, at }, call) => {
      for (const before of events.slice(call === 0 ? 0 : first.at, at)) measure.add(before);
      const prompt = promptOf(messagesOf(events.slice(0, at)), undefined);
      return measure.request({ prompt, answer: event, cache: call === 0 ? "warm" : "cold" });
    });

    expect(cost[1]).toMatchObject({ cold: true, cachedChars: 0, billed: cost[1]?.sentChars });
    expect(cost[1]?.plainBilled).toBe(cost[1]?.plainSentChars);
    expect(cost[0]).not.toHaveProperty("cold");
  });
});

/** Requests in which texts come and go; what a session measures of them, and their texts. */
function measured(measure: SessionMeasure, events: readonly RecordedEvent[], random: Random): string[][] {
  const requests: string[][] = [];
  const shown = new Map<number, string | undefined>();
  let before: RenderedPrompt | undefined;
  for (const [at, event] of events.entries()) {
    if (event.kind === "assistant") {
      const messages = events.slice(0, at).flatMap((past, place) => {
        const whole = contentOf(past);
        if (!shown.has(place)) shown.set(place, whole);
        if (random.chance(0.04)) shown.set(place, shortened(whole, random));
        const text = shown.get(place);
        return text === undefined ? [] : [message(`${place}~${text}`, text)];
      });
      before = promptOf(messages, before);
      requests.push(messages.map(({ text }) => text));
      measure.request({ prompt: before, answer: event, cache: "warm" });
    }
    measure.add(event);
  }
  return requests;
}

/** Nothing, all of it, some lines, its words without the lines, or the first half. */
function shortened(text: string, random: Random): string | undefined {
  const lines = text.split("\n");
  const some = lines.filter(() => random.chance(0.5)).join("\n");
  return random.pick([undefined, text, some, text.split(/\W+/).join(", "), text.slice(0, text.length / 2)]);
}

function promptOf(messages: readonly PromptMessage[], before: RenderedPrompt | undefined): RenderedPrompt {
  const kept = { messages: 0, chars: 0 };
  for (const [place, { id, text }] of messages.entries()) {
    const old = before?.messages[place];
    if (old === undefined) break;
    let same = 0;
    while (same < text.length && old.text[same] === text[same]) same += 1;
    kept.chars += same;
    if (old.id !== id) break;
    kept.messages += 1;
  }
  return { layout: "test", system: "", messages, chars: messages.reduce((sum, { chars }) => sum + chars, 0), kept };
}

const messagesOf = (events: readonly RecordedEvent[]): PromptMessage[] =>
  events.map((event, place) => message(`${place}`, contentOf(event)));

function message(id: string, text: string): PromptMessage {
  return { id, role: "user", text, chars: text.length };
}

function contentOf(event: RecordedEvent): string {
  const args = event.kind === "assistant" ? event.calls.map((call) => JSON.stringify(call.args)).join("") : "";
  return event.text + args;
}

const plainEvent = (event: RecordedEvent) => ({ kind: event.kind, text: contentOf(event) });

// Verifies: SSOT 4.4 (3), 4.6: what a fold keeps is served from the provider's cache.
import type { PromptMessage, RenderedPrompt } from "@cm/context-log";
import { forSeeds, type Random } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { placeMarks } from "../../src/provider/cache-marks.ts";
import { PairCache } from "../../src/provider/pair-cache.ts";
import { blocksOf, MarkedCache, marksOf, withoutMarks } from "./support/marked-cache.ts";
import { anthropicRequest, completionsRequest, type WireOptions } from "./support/pi-wire.ts";
import { answer, asks, pictured, promptAfter, result, user } from "./support/prompts.ts";

const formats = [
  ["Anthropic's format", anthropicRequest],
  ["completions on a route to Anthropic", completionsRequest],
] as const;

/** Ten answers with three calls each, every third with a picture. */
function longTalk(): readonly PromptMessage[] {
  const steps = Array.from({ length: 10 }, (_, step) => {
    const ids = [`c${step}a`, `c${step}b`, `c${step}c`];
    const results = ids.map((callId) => result(`r${callId}`, callId));
    const last = results.map((message, place) => (step % 3 === 0 && place === 1 ? pictured(message) : message));
    return [asks(`a${step}`, ...ids), ...last];
  });
  return [user("u0"), ...steps.flat()];
}

/** What stands from this message on, as references. */
function folded(messages: readonly PromptMessage[], from: number): readonly PromptMessage[] {
  return messages.map((message, place) =>
    place >= from && message.role === "tool"
      ? result(`${message.id}~ref`, message.callId ?? "", "[reference]")
      : message,
  );
}

/** The requests of a talk that grows by a step at a time and is then folded once. */
function foldedTalk(): readonly RenderedPrompt[] {
  const talk = longTalk();
  const prompts: RenderedPrompt[] = [];
  for (let end = 1; end <= talk.length; end += 4) prompts.push(promptAfter(prompts.at(-1), talk.slice(0, end)));
  prompts.push(promptAfter(prompts.at(-1), [...folded(talk, 26), answer("a10", "Done."), user("u1")]));
  return prompts;
}

describe.each(formats)("%s", (_, requestOf) => {
  it.each([{}, { subscription: true }, { ttl: "1h" }, { behind: ["A hint of somebody else."] }] as const)(
    "marks only move, are four at most, and what is sent is the same: %j",
    (options: WireOptions) => {
      for (const prompt of foldedTalk()) {
        const payload = requestOf(prompt.messages, options);
        const before = JSON.stringify(payload);

        const placed = placeMarks(payload, prompt);

        expect(JSON.stringify(payload)).toBe(before);
        expect(withoutMarks(placed)).toEqual(withoutMarks(payload));
        expect(marksOf(placed)).toBeGreaterThan(0);
        expect(marksOf(placed)).toBeLessThanOrEqual(4);
        expect(blocksOf(placed).filter(({ marked, text }) => marked && /thinking|assistant/.test(text))).toEqual([]);
        expect(JSON.stringify(placed).match(/"cache_control":\{[^}]*\}/g)).toEqual(
          Array.from({ length: marksOf(placed) }, () =>
            options.ttl === undefined
              ? '"cache_control":{"type":"ephemeral"}'
              : '"cache_control":{"type":"ephemeral","ttl":"1h"}',
          ),
        );
      }
    },
  );

  it.each([{}, { subscription: true }] as const)("after a fold the kept prefix is served: %j", (options) => {
    const prompts = foldedTalk();
    const [ours, pis] = [new MarkedCache(), new MarkedCache()];

    const servedOurs = prompts.map((prompt) => ours.request(placeMarks(requestOf(prompt.messages, options), prompt)));
    const servedPis = prompts.map(({ messages }) => pis.request(requestOf(messages, options)));

    expect(servedOurs.at(-1)).toBeGreaterThan((prompts.at(-1)?.kept.chars ?? 0) * 0.6);
    expect(servedPis.at(-1)).toBeLessThan(2_000);
    expect(servedOurs.slice(0, -1)).toEqual(servedPis.slice(0, -1));
  });

  it("messages of others behind the prompt are not what is stored", () => {
    const prompts = foldedTalk().slice(0, -1);
    const [ours, pis] = [new MarkedCache(), new MarkedCache()];
    const requests = prompts.map(({ messages }, place) => requestOf(messages, { behind: [`Hint ${place}`] }));

    const servedOurs = prompts.map((prompt, place) => ours.request(placeMarks(requests[place], prompt)));
    const servedPis = requests.map((request) => pis.request(request));

    expect(servedOurs.at(-1)).toBeGreaterThan((prompts.at(-1)?.kept.chars ?? 0) * 0.9);
    expect(servedPis.at(-1)).toBeLessThan(2_000);
  });

  it("a prompt without breakpoints has Pi's marks, but for what others put behind it", () => {
    const { breakpoints: _none, ...prompt } = promptAfter(undefined, longTalk());

    expect(placeMarks(requestOf(prompt.messages), prompt)).toEqual(requestOf(prompt.messages));
    const behind = blocksOf(placeMarks(requestOf(prompt.messages, { behind: ["A hint."] }), prompt));
    expect(behind.slice(-3, -1).filter(({ marked }) => marked)).toHaveLength(1);
    expect(behind.at(-1)?.marked).toBe(false);
  });

  it("under ssot the mark stands before the active content", () => {
    const talk = [user("pool~1", "file id=1"), user("u0"), asks("a0", "c0"), result("r0", "c0", "[reference]")];
    const first = promptAfter(undefined, [...talk, user("active~1", "text of one file")], "ssot/5");
    const second = promptAfter(first, [...talk, asks("a1", "c1"), result("r1", "c1"), user("active~2")], "ssot/5");
    const cache = new MarkedCache();

    cache.request(placeMarks(requestOf(first.messages), first));
    const served = cache.request(placeMarks(requestOf(second.messages), second));

    expect(served).toBeGreaterThan(second.kept.chars);
    expect(blocksOf(placeMarks(requestOf(second.messages), second)).at(-1)?.marked).toBe(false);
  });
});

describe("a request that differs from the prompt", () => {
  const talk = [
    user("u0"),
    asks("a0", "call|0"),
    result("r0", "call|0"),
    user("u1", "Use the key [redacted]."),
    asks("a1", "c1"),
    result("r1", "c1"),
  ];
  const prompt = { ...promptAfter(undefined, talk), breakpoints: [0, 3, 4, 6] };
  const marksBehind = (payload: unknown): readonly string[] =>
    blocksOf(placeMarks(payload, prompt)).flatMap(({ text, marked }) => (marked ? [text.slice(0, 70)] : []));

  it("is marked at the same places where ids were written anew, secrets put back and messages added", () => {
    const plain = anthropicRequest(talk);
    const [first, asked, output, prompted, ...rest] = structuredClone(plain.messages);
    const changed = JSON.parse(
      JSON.stringify({ ...plain, messages: [first, asked, output, { role: "system", content: [] }, prompted, ...rest] })
        .replaceAll("call|0", "call_0")
        .replace("[redacted]", "sk-123"),
    );

    expect(
      marksBehind(changed).map((text) => text.replace("call_0", "call|0").replace("sk-123", "[redacted]")),
    ).toEqual(marksBehind(plain));
  });

  it("keeps Pi's marks where the end of the prompt is not there", () => {
    const payload = anthropicRequest([user("x"), answer("y"), user("z")]);

    expect(placeMarks(payload, prompt)).toBe(payload);
  });

  it.each([
    ["a plain text", "hello"],
    ["nothing", undefined],
    ["Google's format", { contents: [{ role: "user", parts: [{ text: "x" }] }] }],
    ["Amazon's format", { modelId: "m", messages: [{ role: "user", content: [{ text: "x" }] }], inferenceConfig: {} }],
    ["the responses format", { model: "m", input: [{ role: "user", content: [{ type: "input_text", text: "x" }] }] }],
    ["a request without marks", { model: "m", messages: [{ role: "user", content: "x" }] }],
    ["a damaged request", { system: [null, 7], messages: [null, { role: "user" }], tools: "none" }],
  ])("is given back as it is: %s", (_, payload) => {
    expect(placeMarks(payload, prompt)).toBe(payload);
  });
});

describe("any talk with any folds", () => {
  it("is served what a cache can serve for certain, in both formats", () =>
    forSeeds({ short: 8, long: 600, file: "packages/pi-extension/test/provider/cache-marks.test.ts" }, (random) => {
      const prompts = randomPrompts(random);
      for (const [, requestOf] of formats) {
        const [ours, pis] = [new MarkedCache(), new MarkedCache()];
        const known = new PairCache();
        let [servedOurs, servedPis] = [0, 0];
        for (const prompt of prompts) {
          const payload = requestOf(prompt.messages, { subscription: random.chance(0.3) });
          const placed = placeMarks(payload, prompt, known);
          expect(placed).toEqual(placeMarks(payload, prompt));
          expect(withoutMarks(placed)).toEqual(withoutMarks(payload));
          expect(marksOf(placed)).toBeLessThanOrEqual(4);
          servedOurs += ours.request(placed);
          servedPis += pis.request(payload);
        }
        expect(servedOurs).toBeGreaterThanOrEqual(servedPis * 0.98);
      }
    }));
});

function randomPrompts(random: Random): readonly RenderedPrompt[] {
  let talk: readonly PromptMessage[] = [];
  const prompts: RenderedPrompt[] = [];
  for (let step = 0; step < 25; step += 1) {
    const ids = Array.from({ length: 1 + random.below(4) }, (_, call) => `c${step % 3}${call}`);
    const results = ids.map((callId) => result(`r${step}${callId}`, callId));
    const added = random.chance(0.3)
      ? [answer(`d${step}`), user(`u${step}`, random.chance(0.2) ? " " : "continue")]
      : [];
    const shown = results.map((message) => (random.chance(0.2) ? pictured(message) : message));
    talk = step === 0 ? [user("u")] : [...talk, asks(`a${step}`, ...ids), ...shown, ...added];
    if (random.chance(0.15)) talk = folded(talk, random.below(talk.length));
    prompts.push(promptAfter(prompts.at(-1), talk));
  }
  return prompts;
}

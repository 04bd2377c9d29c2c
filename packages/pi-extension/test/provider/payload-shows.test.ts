// Verifies: SSOT 5.12: another extension that changes the prompt behind us is noticed.
import type { PromptMessage } from "@cm/context-log";
import { describe, expect, it } from "vitest";
import type { PiMessage } from "../../src/pi/pi-types.ts";
import { providerLimits } from "../../src/provider/limits.ts";
import { expectedOf, payloadShowsOurPrompt } from "../../src/provider/payload-shows.ts";
import { PromptWatch } from "../../src/provider/prompt-watch.ts";
import { anthropicRequest, completionsRequest } from "./support/pi-wire.ts";
import { answer, asks, pictured, result, user } from "./support/prompts.ts";

const talk = [
  user("u0"),
  asks("a0", "c0", "c1"),
  pictured(result("r0", "c0")),
  result("r1", "c1", ""),
  answer("a1"),
  user("u1", "lone \ud800 half"),
  asks("a2", "c2"),
  result("r2", "c2", "[reference]"),
];
const expected = expectedOf(talk.map(piMessage));

describe.each([
  ["Anthropic's format", anthropicRequest],
  ["completions", completionsRequest],
  ["responses", responsesRequest],
])("%s", (_, requestOf) => {
  it("a request as Pi makes it of the prompt shows it", () => {
    expect(payloadShowsOurPrompt(requestOf(talk), expected)).toBe(true);
  });

  it("a request whose newest result has no text shows it", () => {
    const all = [...talk, asks("a3", "c3"), result("r3", "c3", "")];

    expect(payloadShowsOurPrompt(requestOf(all), expectedOf(all.map(piMessage)))).toBe(true);
  });

  it.each([
    ["a reference that was put back to its text", [...talk.slice(0, -1), result("r2", "c2", "text ".repeat(200))]],
    ["a dropped result", talk.filter(({ id }) => id !== "r0")],
    ["a message before it", [user("x", "Somebody was here."), ...talk]],
    ["a message behind it", [...talk, user("x", "Somebody was here.")]],
    ["another talk", [user("x"), answer("y")]],
  ])("%s is noticed", (_name, messages) => {
    expect(payloadShowsOurPrompt(requestOf(messages), expected)).toBe(false);
  });
});

it.each([undefined, "x", { contents: [] }])("nothing is said of an unknown format: %j", (payload) => {
  expect(payloadShowsOurPrompt(payload, expected)).toBe(true);
});

describe("the watch over requests", () => {
  const undone = anthropicRequest(talk.slice(1));

  it("says so at each request that shows something else, and once for each prompt", () => {
    const watch = new PromptWatch();

    watch.handed(talk.map(piMessage));

    expect([watch.isChanged(undone), watch.isChanged(undone)]).toEqual([true, false]);
    watch.handed(talk.map(piMessage));
    expect(watch.isChanged(anthropicRequest(talk))).toBe(false);
  });

  it("expects nothing of a request that was made without us, such as behind an aborted one once we are off", () => {
    const watch = new PromptWatch();

    watch.handed(talk.map(piMessage));
    watch.handed(undefined);

    expect(watch.isChanged(undone)).toBe(false);
  });

  it("throws at nothing, and looks at the first requests alone", () => {
    const watch = new PromptWatch();
    const odd: unknown = [{ role: "custom", content: null }];

    watch.handed(odd as readonly PiMessage[]);
    expect(watch.isChanged(undone)).toBe(false);

    for (let request = 0; request < providerLimits.looksMax; request += 1) {
      watch.handed(talk.map(piMessage));
      expect(watch.isChanged(undone)).toBe(true);
    }
    watch.handed(talk.map(piMessage));
    expect(watch.isChanged(undone)).toBe(false);
  });
});

function responsesRequest(messages: readonly PromptMessage[]) {
  const input = messages.flatMap(({ role, text, callId, calls = [] }): readonly object[] => {
    if (role === "user") return [{ role, content: [{ type: "input_text", text }] }];
    if (role === "tool") return [{ type: "function_call_output", call_id: callId, output: text || "(no tool output)" }];
    return calls.map(({ callId: call_id, tool }) => ({ type: "function_call", call_id, name: tool, arguments: "{}" }));
  });
  return { model: "m", input: input.map(withoutHalves), tools: [] };
}

/** Pi takes lone halves of signs out. */
const withoutHalves = (item: object): unknown => JSON.parse(JSON.stringify(item).replaceAll("\\ud800", ""));

function piMessage({ role, text, callId = "", calls = [] }: PromptMessage): PiMessage {
  const content = [{ type: "text" as const, text }];
  if (role === "user") return { role, content, timestamp: 0 };
  if (role === "tool") {
    return { role: "toolResult", toolCallId: callId, toolName: "read", content, isError: false, timestamp: 0 };
  }
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 };
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  const asked = calls.map(({ callId: id, tool: name }) => ({ type: "toolCall" as const, id, name, arguments: {} }));
  const stopReason = asked.length === 0 ? "stop" : "toolUse";
  const model = { api: "x", provider: "p", model: "m" };
  return { role, content: [...content, ...asked], ...model, usage: { ...usage, cost }, stopReason, timestamp: 0 };
}

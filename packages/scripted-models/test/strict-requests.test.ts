// Verifies: the scripted model refuses what a provider would, so that a run of ours against it shows something.
import type { RenderedPrompt } from "@cm/context-log";
import { describe, expect, it } from "vitest";
import { checkStrictly } from "../src/checks/check-strictly.ts";
import type { JsonObject } from "../src/wire/json.ts";
import { readRequest } from "../src/wire/read-request.ts";
import { signatureOf } from "../src/wire/signature.ts";
import { wires } from "../src/wire/wires.ts";

const calls = [{ callId: "c1", tool: "ls", args: { path: "." } }];
const messages: RenderedPrompt["messages"] = [
  { id: "0", role: "user", text: "go", chars: 2 },
  { id: "1", role: "assistant", text: "ok", chars: 2, calls, thinking: [{ text: "hm", signature: signatureOf("hm") }] },
  { id: "2", role: "tool", text: "a.txt", chars: 5, callId: "c1" },
];
const prompt = { layout: "any/1", system: "s", messages, chars: 9, kept: { messages: 0, chars: 0 } };
const tools = [{ name: "ls", description: "Lists.", parameters: { type: "object" } }];
const body = (protocol: "openai" | "anthropic") => {
  const fixed = { model: "m", tools, outputTokensMax: 5, extra: {}, image: () => "" };
  return JSON.parse(wires[protocol].body({ ...fixed, prompt }));
};

type Body = ReturnType<typeof body>;

/** What is wrong with a body, one sentence each; one that cannot be read is wrong, too. */
function faults(format: "anthropic-messages" | "openai-completions", sent: JsonObject): readonly string[] {
  const tokens = { input: 0, cacheRead: 0, cacheWrite: 0 };
  const at = { index: 0, format, atMs: 0, path: "", headers: {}, tokens, given: [] };
  return checkStrictly({ ...at, body: sent, sent: readRequest(format, sent) });
}

describe("a strict scripted model, asked in Anthropic's format", () => {
  it("takes a good request", () => {
    expect(faults("anthropic-messages", body("anthropic"))).toEqual([]);
  });

  it.each([
    [
      "changed thinking",
      (sent: Body) => {
        sent.messages[1].content[0].thinking = "Hm";
      },
    ],
    ["thinking behind the text", (sent: Body) => void sent.messages[1].content.push(sent.messages[1].content.shift())],
    [
      "a call without a result",
      (sent: Body) => {
        sent.messages[2].content[0].tool_use_id = "c2";
      },
    ],
    ["a result behind a text", (sent: Body) => void sent.messages[2].content.unshift({ type: "text", text: "x" })],
    ["two messages of one role", (sent: Body) => void sent.messages.push(sent.messages[2])],
    ["an answer at the end", (sent: Body) => void sent.messages.pop()],
    [
      "an empty text",
      (sent: Body) => {
        sent.messages[0].content[0].text = "";
      },
    ],
    ["no cache mark", (sent: Body) => void delete sent.messages[2].content[0].cache_control],
    [
      "a member that the format does not have",
      (sent: Body) => {
        sent.messages[0].content[0].key = "x";
      },
    ],
  ])("refuses %s", (_what, change) => {
    const sent = body("anthropic");
    change(sent);

    expect(faults("anthropic-messages", sent)).not.toEqual([]);
  });
});

describe("a strict scripted model, asked in OpenAI's format", () => {
  it("takes a good request", () => {
    expect(faults("openai-completions", body("openai"))).toEqual([]);
  });

  it.each([
    ["a call without a result", (sent: Body) => void sent.messages.pop()],
    [
      "a result without a call",
      (sent: Body) => {
        sent.messages[3].tool_call_id = "c2";
      },
    ],
    [
      "something between call and result",
      (sent: Body) => void sent.messages.splice(3, 0, { role: "user", content: "x" }),
    ],
    [
      "arguments that are no object",
      (sent: Body) => {
        sent.messages[2].tool_calls[0].function.arguments = "[]";
      },
    ],
  ])("refuses %s", (_what, change) => {
    const sent = body("openai");
    change(sent);

    expect(faults("openai-completions", sent)).not.toEqual([]);
  });
});

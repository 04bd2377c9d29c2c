// Verifies: the scripted server refuses what a provider would, so that a run against it shows something.
import type { RenderedPrompt } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { PrefixCache } from "../../src/live/scripted/prefix-cache.ts";
import { readChat } from "../../src/live/scripted/read-chat.ts";
import { readMessages } from "../../src/live/scripted/read-messages.ts";
import { signatureOf } from "../../src/live/scripted/signature.ts";
import { wires } from "../../src/live/wire/wires.ts";

const calls = [{ callId: "c1", tool: "ls", args: { path: "." } }];
const messages: RenderedPrompt["messages"] = [
  { id: "0", role: "user", text: "go", chars: 2 },
  { id: "1", role: "assistant", text: "ok", chars: 2, calls, thinking: [{ text: "hm", signature: signatureOf("hm") }] },
  { id: "2", role: "tool", text: "a.txt", chars: 5, callId: "c1" },
];
const prompt = { layout: "log/3", system: "s", messages, chars: 9, kept: { messages: 0, chars: 0 } };
const body = (protocol: "openai" | "anthropic") => {
  const fixed = { model: "m", tools: [], outputTokensMax: 5, extra: {}, image: () => "" };
  return JSON.parse(wires[protocol].body({ ...fixed, prompt }));
};

type Body = ReturnType<typeof body>;

describe("the scripted server, asked in Anthropic's format", () => {
  it("takes a good request", () => {
    expect(readMessages(body("anthropic"))).toMatchObject({ answers: 1, marks: [6] });
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
      "a member that nobody knows",
      (sent: Body) => {
        sent.messages[0].content[0].key = "x";
      },
    ],
  ])("refuses %s", (_what, change) => {
    const sent = body("anthropic");
    change(sent);

    expect(() => readMessages(sent)).toThrow(expect.objectContaining({ name: "BadRequest" }));
  });
});

describe("the scripted server, asked in OpenAI's format", () => {
  it("takes a good request", () => {
    expect(readChat(body("openai"))).toMatchObject({ answers: 1, userText: expect.stringContaining("go") });
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

    expect(() => readChat(sent)).toThrow(expect.objectContaining({ name: "BadRequest" }));
  });
});

describe("the scripted server's cache", () => {
  const piece = (name: string) => name.repeat(40);
  const sent = (names: string, answers: number, marks?: readonly number[]) => ({
    ...{ userText: "", answers, marks, pieces: [...names].map(piece) },
  });

  it("serves what two requests begin with, and nothing of another conversation", () => {
    const cache = new PrefixCache();

    const counts = [sent("ab", 0), sent("abc", 1), sent("axc", 2), sent("ab", 0)].map((each) => cache.count(each));

    expect(counts.map(({ cacheRead, input }) => [cacheRead, input])).toEqual([
      [0, 20],
      [20, 10],
      [10, 20],
      [0, 20],
    ]);
  });

  it("serves what was marked alone, where marks are asked for", () => {
    const cache = new PrefixCache();
    cache.count(sent("abc", 0, [1, 3]));

    expect(cache.count(sent("abxd", 1, [4]))).toEqual({ cacheRead: 10, cacheWrite: 30, input: 0 });
    expect(cache.count(sent("abxde", 2, [2]))).toEqual({ cacheRead: 40, cacheWrite: 0, input: 10 });
  });
});

// Verifies: a prompt in both wire formats: pairs, order, thinking and signatures, images, cache marks; answers back.
import type { PromptMessage, RenderedPrompt } from "@cm/context-log";
import { describe, expect, it } from "vitest";
import type { WireRequest } from "../src/wire/wire.ts";
import { readAnswer, wires } from "../src/wire/wires.ts";

const image = { sha256: "a".repeat(64), mime: "image/png", bytes: 3 };
const said = (role: PromptMessage["role"], text: string, more: Partial<PromptMessage> = {}): PromptMessage => ({
  ...{ id: `${role} ${text}`, role, text, chars: text.length },
  ...more,
});
const messages = [
  said("user", "look", { attachments: [image] }),
  said("assistant", "I look.", {
    thinking: [
      { text: "hm\u2028", signature: "s1==" },
      { text: "", signature: "sealed", redacted: true },
    ],
    calls: [
      { callId: "c1", tool: "read", args: { path: "a" } },
      { callId: "c2", tool: "ls", args: {} },
    ],
  }),
  said("tool", "one", { callId: "c1", attachments: [image] }),
  said("user", "and this"),
  said("tool", "two", { callId: "c2", failed: true }),
  said("assistant", "Done."),
  said("user", "more"),
];

function body(protocol: "openai" | "anthropic", more: Partial<RenderedPrompt> = {}, extra: WireRequest["extra"] = {}) {
  const prompt = { layout: "any/1", system: "Be brief.", messages, chars: 0, kept: { messages: 0, chars: 0 }, ...more };
  const tools = [{ name: "read", description: "Reads.", parameters: { type: "object" } }];
  const request = { model: "m", prompt, tools, outputTokensMax: 9, seed: 3, extra, image: () => "QUJD" };
  return JSON.parse(wires[protocol].body(request));
}

const source = { type: "base64", media_type: "image/png", data: "QUJD" };
const mark = { cache_control: { type: "ephemeral" } };

describe("a prompt for Anthropic", () => {
  it("has blocks with thinking as it came, results first, and a mark at its end", () => {
    expect(body("anthropic")).toEqual({
      model: "m",
      max_tokens: 9,
      system: [{ type: "text", text: "Be brief." }],
      tools: [{ name: "read", description: "Reads.", input_schema: { type: "object" } }],
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "look" },
            { type: "image", source },
          ],
        },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "hm\u2028", signature: "s1==" },
            { type: "redacted_thinking", data: "sealed" },
            { type: "text", text: "I look." },
            { type: "tool_use", id: "c1", name: "read", input: { path: "a" } },
            { type: "tool_use", id: "c2", name: "ls", input: {} },
          ],
        },
        {
          role: "user",
          content: [
            {
              type: "tool_result",
              tool_use_id: "c1",
              content: [
                { type: "text", text: "one" },
                { type: "image", source },
              ],
            },
            { type: "tool_result", tool_use_id: "c2", content: [{ type: "text", text: "two" }], is_error: true },
            { type: "text", text: "and this" },
          ],
        },
        { role: "assistant", content: [{ type: "text", text: "Done." }] },
        { role: "user", content: [{ type: "text", text: "more", ...mark }] },
      ],
    });
  });

  it("is marked where the prompt says, and at no more places than there may be", () => {
    const sent = body("anthropic", { breakpoints: [0, 1, 2, 3, 7] });

    expect(sent.system[0]).not.toMatchObject(mark);
    expect(sent.messages[0].content[1]).toMatchObject(mark);
    expect(sent.messages[1].content[4]).toMatchObject(mark);
    expect(sent.messages[2].content[0]).toMatchObject(mark);
    expect(sent.messages[4].content[0]).toMatchObject(mark);
    expect(JSON.stringify(sent).split("cache_control")).toHaveLength(5);
    expect(body("anthropic", { breakpoints: [0, 7] }).system[0]).toMatchObject(mark);
  });

  it("leaves out thinking without a signature and text that is empty", () => {
    const answer = said("assistant", " ", {
      thinking: [{ text: "theirs" }],
      calls: [{ callId: "c", tool: "ls", args: {} }],
    });

    const sent = body("anthropic", { messages: [said("user", "go"), answer, said("tool", "", { callId: "c" })] });

    expect(sent.messages[1].content).toEqual([{ type: "tool_use", id: "c", name: "ls", input: {} }]);
    expect(sent.messages[2].content).toEqual([{ type: "tool_result", tool_use_id: "c", ...mark }]);
  });
});

describe("a prompt for OpenAI", () => {
  it("has a message for each result, directly behind its call, and images as the user's", () => {
    const picture = { type: "image_url", image_url: { url: "data:image/png;base64,QUJD" } };
    const call = (id: string, name: string, args: string) => ({
      id,
      type: "function",
      function: { name, arguments: args },
    });

    expect(body("openai")).toEqual({
      ...{ model: "m", max_tokens: 9, seed: 3 },
      tools: [{ type: "function", function: { name: "read", description: "Reads.", parameters: { type: "object" } } }],
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: [{ type: "text", text: "look" }, picture] },
        {
          ...{ role: "assistant", content: "I look.", reasoning_content: "hm\u2028" },
          tool_calls: [call("c1", "read", '{"path":"a"}'), call("c2", "ls", "{}")],
        },
        { role: "tool", tool_call_id: "c1", content: "one" },
        { role: "tool", tool_call_id: "c2", content: "two" },
        { role: "user", content: [{ type: "text", text: "Images of the result c1:" }, picture] },
        { role: "user", content: "and this" },
        { role: "assistant", content: "Done." },
        { role: "user", content: "more" },
      ],
    });
  });

  it("takes further members from the user, but for its own", () => {
    const sent = body("openai", {}, { temperature: 0, model: "other", max_completion_tokens: 5 });

    expect(sent).toMatchObject({ temperature: 0, model: "m", max_completion_tokens: 5 });
    expect(sent).not.toHaveProperty("max_tokens");
  });
});

describe.each(["openai", "anthropic"] as const)("a broken prompt for %s", (protocol) => {
  it.each([
    ["a call has no result", messages.filter(({ callId }) => callId !== "c2"), "c2"],
    ["a result has no call", [said("user", "go"), said("tool", "x", { callId: "c9" })], "c9"],
    ["a result stands twice", messages.flatMap((each) => (each.callId === "c1" ? [each, each] : [each])), "c1"],
  ])("is refused where %s", (_what, broken, callId) => {
    expect(() => body(protocol, { messages: broken })).toThrow(
      expect.objectContaining({ code: "live/broken-pairs", data: { callId } }),
    );
  });
});

describe("an answer", () => {
  it("of Anthropic gives text, thinking, calls and all four counts", () => {
    const content = [
      { type: "thinking", thinking: "hm", signature: "s" },
      { type: "redacted_thinking", data: "d" },
      { type: "text", text: "a" },
      { type: "tool_use", id: "c", name: "ls", input: { path: "." } },
    ];
    const usage = { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 3, cache_creation_input_tokens: 4 };

    expect(readAnswer("anthropic", { model: "m-1", stop_reason: "tool_use", content, usage })).toEqual({
      message: {
        ...{ role: "assistant", text: "a", model: "m-1", stopReason: "tool_use" },
        thinking: [
          { text: "hm", signature: "s" },
          { text: "", signature: "d", redacted: true },
        ],
        calls: [{ callId: "c", tool: "ls", args: { path: "." } }],
      },
      usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
    });
  });

  it("of OpenAI counts cached tokens apart, and keeps arguments that are no object", () => {
    const tool_calls = [{ id: "c", type: "function", function: { name: "ls", arguments: "[1" } }];
    const usage = { prompt_tokens: 10, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } };
    const choices = [{ finish_reason: "tool_calls", message: { content: null, reasoning_content: "hm", tool_calls } }];

    expect(readAnswer("openai", { choices, usage })).toEqual({
      message: {
        ...{ role: "assistant", text: "", thinking: [{ text: "hm" }], stopReason: "tool_calls" },
        calls: [{ callId: "c", tool: "ls", args: { malformed: "[1" } }],
      },
      usage: { input: 6, output: 2, cacheRead: 4, cacheWrite: 0 },
    });
  });

  it("with two calls of one id is none", () => {
    const call = { type: "tool_use", id: "c", name: "ls", input: {} };
    const usage = { input_tokens: 1, output_tokens: 2 };

    expect(() => readAnswer("anthropic", { content: [call, call], usage })).toThrow(
      expect.objectContaining({ code: "live/bad-answer" }),
    );
  });
});

// Verifies: decision 63: answers are Pi's own messages, results keep their ids, and nothing is shared with the branch.
import type { PromptMessage, RenderedPrompt } from "@cm/context-log";
import { sha256 } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { outgoing } from "../../src/messages/outgoing.ts";
import { Pictures } from "../../src/messages/pictures.ts";
import { Secrets } from "../../src/messages/secrets.ts";
import type { PiMessage } from "../../src/pi/pi-types.ts";
import { answerMessage, call, dot, itemsIn, resultMessage, text, userMessage } from "../support/items.ts";

const redact = (whole: string) => ({ text: whole.replaceAll(/sk-\w+/g, "[redacted:key]"), count: 0 });

const said = (words: string): PromptMessage => ({ id: words, role: "user", text: words, chars: words.length });
const tool = (callId: string, words: string, more: Partial<PromptMessage> = {}): PromptMessage => ({
  ...{ id: `r ${callId}`, role: "tool", callId, text: words, failed: false, chars: words.length },
  ...more,
});
const answer = (words: string, ...callIds: readonly string[]): PromptMessage => ({
  ...{ id: "a", role: "assistant", text: words, chars: words.length },
  calls: callIds.map((callId) => ({ callId, tool: "read", args: {} })),
});

function made(prompt: readonly PromptMessage[], messages: readonly PiMessage[]): PiMessage[] {
  const items = itemsIn(messages);
  const pictures = new Pictures();
  pictures.learn(items);
  const rendered: RenderedPrompt = {
    ...{ layout: "log", system: "", messages: prompt, chars: 0, kept: { messages: 0, chars: 0 } },
  };
  return outgoing(rendered, { items, pictures, secrets: new Secrets(redact) }).map(({ message }) => message);
}

describe("a prompt as Pi takes it", () => {
  it("has Pi's own answers, signatures and all, and the prompt's text in the results", () => {
    const signed = answerMessage([
      { type: "thinking", thinking: "hm", thinkingSignature: "sig" },
      { type: "text", text: "I look", textSignature: "t" },
      { type: "toolCall", id: "c", name: "read", arguments: { path: "a" }, thoughtSignature: "th" },
    ]);
    const messages = [userMessage("go"), signed, resultMessage("c", "long", { isError: true, timestamp: 7 })];
    const prompt = [
      said("go"),
      { ...answer("I look", "c"), thinking: [{ text: "hm", signature: "sig" }] },
      tool("c", "id=t1"),
    ];

    const [, second, third] = made(prompt, messages);

    expect(second).toEqual(signed);
    expect(third).toEqual({ ...messages[2], content: [text("id=t1")] });
  });

  it("leaves a thought out where the prompt has none", () => {
    const thought = answerMessage([{ type: "thinking", thinking: "hm", thinkingSignature: "s" }, text("so")]);

    const [sent] = made([answer("so")], [thought]);

    expect(sent).toEqual({ ...thought, content: [text("so")] });
  });

  it("has an answer of responses that lost its thinking as another model's, so that Pi sends no ids bound to it", () => {
    const thought = {
      ...answerMessage([{ type: "thinking", thinking: "hm", thinkingSignature: "s" }, call("c")]),
      api: "openai-responses",
    } as const;
    const messages = [thought, resultMessage("c", "long")];
    const whole = { ...answer("", "c"), thinking: [{ text: "hm", signature: "s" }] };

    const [[kept], [lost]] = [whole, answer("", "c")].map((one) => made([one, tool("c", "long")], messages)) as [
      PiMessage[],
      PiMessage[],
    ];

    expect(kept).toMatchObject({ model: thought.model });
    expect(lost).toMatchObject({ model: `${thought.model} without thinking`, api: thought.api, content: [call("c")] });
  });

  it("has the prompt's text where an answer was cut", () => {
    const long = answerMessage([text("x".repeat(99)), call("c")]);

    const [sent] = made([answer("xx…xx", "c"), tool("c", "")], [long, resultMessage("c", "")]);

    expect(sent).toMatchObject({ content: [text("xx…xx"), call("c")] });
  });

  it("has the beginning and the notice of a text that the prompt cut, in its own field", () => {
    const cut = "const a = [cm: 3,900 characters left out; cm_context show t4.input]";
    const long = `const a = ${"1".repeat(3_900)}`;
    const edits = [{ oldText: long, newText: "n", deep: { key: "sk-1" } }];
    const args = { path: "a", key: "sk-1", content: long, said: cut, edits };
    const written = answerMessage([{ type: "toolCall", id: "c", name: "write", arguments: args }]);
    const sentEdits = [{ oldText: cut, newText: "n", deep: { key: "[redacted:key]" } }];
    const sentArgs = { path: "a", key: "[redacted:key]", content: cut, said: cut, edits: sentEdits };

    const [sent] = made([{ ...answer(""), calls: [{ callId: "c", tool: "write", args: sentArgs }] }], [written]);

    expect(sent).toMatchObject({
      content: [{ arguments: { ...args, content: cut, edits: [{ ...edits[0], oldText: cut }] } }],
    });
  });

  it("takes a ref that the model wrote for what it is", () => {
    const own = answerMessage([{ type: "toolCall", id: "c", name: "x", arguments: { a: { ref: "mine" } } }]);
    const calls = [{ callId: "c", tool: "x", args: { a: { ref: "mine" } } }];

    expect(made([{ ...answer(""), calls }], [own])[0]).toEqual(own);
  });

  it("makes a result where Pi has none", () => {
    const [, sent] = made([answer("", "c"), tool("c", "no result", { failed: true })], [answerMessage([call("c")])]);

    expect(sent).toMatchObject({ role: "toolResult", toolCallId: "c", toolName: "read", isError: true });
    expect(sent).toMatchObject({ content: [text("no result")] });
  });

  it("tells calls with the same id in different turns apart", () => {
    const turn = (mark: string) => [answerMessage([call("call_1")]), resultMessage("call_1", mark, { details: mark })];
    const prompt = ["one", "two"].flatMap((words) => [answer("", "call_1"), tool("call_1", words)]);

    const sent = made(prompt, [...turn("first"), ...turn("second")]);

    expect([sent[1], sent[3]]).toMatchObject([
      { details: "first", content: [text("one")] },
      { details: "second", content: [text("two")] },
    ]);
  });

  it("has the pictures that the prompt has, in results and in what was said", () => {
    const attachments = [{ mime: dot.mimeType, sha256: sha256(Buffer.from(dot.data, "base64")), bytes: 70 }];
    const messages = [
      userMessage([text("look"), dot]),
      answerMessage([call("c"), call("d")]),
      resultMessage("c", [text("see"), dot]),
      resultMessage("d", [text("see"), dot]),
    ];
    const prompt = [
      { ...said("look"), attachments },
      answer("", "c", "d"),
      { ...tool("c", "see"), attachments },
      tool("d", "id=t2"),
    ];

    const [first, , third, fourth] = made(prompt, messages);

    expect(first).toMatchObject({ content: [text("look"), dot] });
    expect(third).toMatchObject({ content: [text("see"), dot] });
    expect(fourth).toMatchObject({ content: [text("id=t2")] });
  });

  it("refuses a prompt of another branch", () => {
    const mismatch = expect.objectContaining({ code: "pi/prompt-mismatch" });

    expect(() => made([answer("", "c")], [answerMessage([call("d")])])).toThrow(mismatch);
    expect(() => made([answer("")], [userMessage("go")])).toThrow(mismatch);
  });

  it("shares nothing with the branch: what is done to it stays there", () => {
    const nested = { a: { b: ["c"] } };
    const messages = [
      userMessage([text("look"), dot]),
      answerMessage([{ type: "toolCall", id: "c", name: "x", arguments: nested }, text("so")]),
      resultMessage("c", [text("out"), dot], { details: { deep: { list: [1] } } }),
    ];
    const before = structuredClone(messages);
    const calls = [{ callId: "c", tool: "x", args: nested }];

    const sent = made([said("look"), { ...answer("so"), calls }, tool("c", "out")], messages);

    for (const message of sent) spoil(message);
    expect(messages).toEqual(before);
  });
});

/** Changes everything in place that can be reached. */
function spoil(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const each of Object.values(value)) spoil(each);
  for (const key of Object.keys(value)) Reflect.set(value, key, "spoiled");
  if (Array.isArray(value)) value.push("spoiled");
}

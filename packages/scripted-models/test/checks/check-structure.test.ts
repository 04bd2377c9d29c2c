// Verifies: the check of requests finds each of the faults that it is there for.

import { describe, expect, it } from "vitest";
import { checkStructure } from "../../src/checks/check-structure.ts";
import type { CapturedRequest, GivenAnswer } from "../../src/wire/captured-request.ts";
import type { WireFormat } from "../../src/wire/formats.ts";
import type { Json, JsonObject } from "../../src/wire/json.ts";
import { readRequest } from "../../src/wire/read-request.ts";
import { signatureOf } from "../../src/wire/signature.ts";

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const image = (data: string): JsonObject => ({
  type: "image",
  source: { type: "base64", media_type: "image/png", data },
});
const mark = { cache_control: { type: "ephemeral" } };
const thinking = { type: "thinking", thinking: "Hm.", signature: signatureOf("Hm.") };
const call = (id: string): JsonObject => ({ type: "tool_use", id, name: "read", input: { path: id } });
const result = (id: string): JsonObject => ({ type: "tool_result", tool_use_id: id, content: "text" });
const user = (...content: readonly Json[]): JsonObject => ({ role: "user", content });
const model = (...content: readonly Json[]): JsonObject => ({ role: "assistant", content });
const text = (said: string): JsonObject => ({ type: "text", text: said });

const answer = (index: number, more: Partial<GivenAnswer>): GivenAnswer => ({
  ...{ index, format: "anthropic-messages", text: "", thinking: undefined, calls: [], whole: true },
  ...more,
});
const given = [
  answer(0, { thinking: "Hm.", calls: ["a", "b"].map((id) => ({ id, name: "read", args: { path: id } })) }),
  answer(1, { text: "Done." }),
];

function asked(format: WireFormat, body: JsonObject, answers: readonly GivenAnswer[] = given): CapturedRequest {
  const tokens = { input: 0, cacheRead: 0, cacheWrite: 0 };
  const sent = readRequest(format, body);
  return { index: 7, format, atMs: 0, path: "", headers: {}, body, sent, tokens, given: answers };
}

const anthropic = (...messages: readonly JsonObject[]): readonly string[] =>
  checkStructure(asked("anthropic-messages", { tools: [{ name: "read" }], messages }));

const whole = [
  user(text("Read.")),
  model(thinking, call("a"), call("b")),
  user(result("a"), { ...result("b"), content: [text("seen"), image(png)] }),
  model(text("Done.")),
  user(text("More?"), { ...text("Please."), ...mark }),
];
const [begin, calls, results, done, more] = whole as [JsonObject, JsonObject, JsonObject, JsonObject, JsonObject];

describe("checkStructure with Anthropic's Messages", () => {
  it("has nothing to say of a request that is as it should be", () => {
    expect(anthropic(...whole)).toEqual([]);
  });

  it.each<readonly [fault: string, messages: readonly JsonObject[], sentence: string]>([
    ["a result that is missing", [begin, calls, user(result("a"))], "A call has no result before message 3: b."],
    ["a message before the results", [begin, calls, more, results], "A call has no result before message 2: a."],
    [
      "text before the results",
      [begin, calls, user(text("x"), result("a"), result("b"))],
      "does not follow its call: a.",
    ],
    ["a result without a call", [begin, user(result("a"))], "Message 1 has a result that does not follow its call: a."],
    ["a result twice", [begin, calls, user(result("a"), result("b"), result("b"))], "does not follow its call: b."],
    ["an id twice", [...whole.slice(0, 3), calls, results], "a call with an id that was there already: a."],
    ["answers in another order", [begin, done, more, calls, results], "Message 3 stands after an answer"],
    ["thinking that is gone", [begin, model(call("a"), call("b")), results], "lacks the thinking"],
    [
      "thinking that was changed",
      [begin, model({ ...thinking, thinking: "Hm!" }, call("a"), call("b")), results],
      "signature does not fit",
    ],
    [
      "thinking at the end",
      [begin, model(call("a"), call("b"), thinking), results],
      "does not begin with its thinking",
    ],
    ["the model first", [done, more], "The first message is not the user's"],
    ["the model last", [begin, done], "The last message is the model's."],
    ["an empty message", [begin, done, user()], "Message 2 of the role user is empty."],
    ["an empty text", [user(text(" "))], "Message 0 has an empty text."],
    ["half an image", [user(image(png.slice(0, 90)))], "The data of an image are no image/png."],
    ["a text for an image", [user(image(Buffer.from("no image").toString("base64")))], "are no image/png."],
    ["five marks", [user(...[1, 2, 3, 4, 5].map((at) => ({ ...text(`${at}`), ...mark })))], "There are 5 cache marks."],
    [
      "a mark on thinking",
      [begin, model({ ...thinking, ...mark }, call("a"), call("b")), results],
      "where none may be",
    ],
    ["a call in the user's name", [user(text("x"), call("c")), user(result("c"))], "a block of the kind call"],
    ["an id that is not allowed", [begin, model(call("a|b")), user(result("a|b"))], "not allowed: a|b."],
  ])("finds %s", (_fault, messages, sentence) => {
    expect(anthropic(...messages)).toContainEqual(expect.stringMatching(/^Request 7: ./));
    expect(anthropic(...messages).join("\n")).toContain(sentence);
  });
});

describe("thinking that is gone with the arguments beside it", () => {
  const short = { ...call("a"), input: { path: "a [cm: left out]" } };

  it("is as it should be in a turn that is over", () => {
    expect(anthropic(begin, model(short, call("b")), results, done, more)).toEqual([]);
  });

  it.each([
    ["in the current turn", [begin, model(short, call("b")), results]],
    ["where the arguments are whole", [begin, model(call("a"), call("b")), results, done, more]],
  ])("is found %s", (_, messages) => {
    expect(anthropic(...messages).join()).toContain("lacks the thinking");
  });
});

describe("checkStructure with OpenAI's formats", () => {
  const named = (args: string): JsonObject => ({
    id: "c",
    type: "function",
    function: { name: "read", arguments: args },
  });
  const completions = (...messages: readonly JsonObject[]): readonly string[] =>
    checkStructure(asked("openai-completions", { tools: [{ function: { name: "read" } }], messages }));
  const responses = (...input: readonly JsonObject[]): readonly string[] =>
    checkStructure(asked("openai-responses", { tools: [{ name: "read" }], input }));
  const said: JsonObject = { role: "user", content: "Read." };
  const tool: JsonObject = { role: "tool", tool_call_id: "c", content: "text" };
  const item = (call_id: string): JsonObject => ({ type: "function_call", call_id, name: "read", arguments: "{}" });
  const output = (call_id: string): JsonObject => ({ type: "function_call_output", call_id, output: "text" });
  const reasoning = (encrypted_content: string): JsonObject => ({
    ...{ type: "reasoning", id: "rs", summary: [{ type: "summary_text", text: "Hm." }], encrypted_content },
  });
  const system: JsonObject = { role: "developer", content: "You." };

  it("has nothing to say of requests that are as they should be", () => {
    expect(completions(system, said, { role: "assistant", content: null, tool_calls: [named("{}")] }, tool)).toEqual(
      [],
    );
    expect(
      responses(system, said, reasoning(signatureOf("Hm.")), item("a"), item("b"), output("b"), output("a")),
    ).toEqual([]);
  });

  it("finds pairs that are torn apart, arguments that are no object, and marks", () => {
    const torn = completions(said, { role: "assistant", content: "", tool_calls: [named("[]")] }, said, tool);
    const marked = completions({ role: "user", content: [{ ...text("x"), ...mark }] });

    expect(torn.map((sentence) => sentence.replace(/.*(object|before message 2|follow its call): c.$/, "$1"))).toEqual([
      ...["object", "before message 2", "follow its call"],
    ]);
    expect(marked.join()).toContain("cache marks");
    expect(responses(said, item("a"), said, output("a"))).toHaveLength(2);
  });

  it("finds an encrypted item that was changed", () => {
    expect(responses(said, reasoning("other"), item("c"), output("c")).join()).toContain("signature does not fit");
  });

  it("finds ids that are bound to reasoning that is gone", () => {
    const ours = [
      answer(0, {
        format: "openai-responses",
        ...{ thinking: "Hm.", text: "So.", calls: [{ id: "c", name: "read", args: { path: "c" } }] },
      }),
    ];
    const message = { type: "message", role: "assistant", content: [{ type: "output_text", text: "So." }] };
    const sent = (...items: readonly JsonObject[]): readonly string[] => {
      const input = [said, ...items, output("c"), said];
      return checkStructure(asked("openai-responses", { tools: [{ name: "read" }], input }, ours));
    };
    const bound = { ...item("c"), id: "fc_0_0" };

    expect(sent({ ...reasoning(signatureOf("Hm.")), id: "rs_0" }, { ...message, id: "msg_0" }, bound).join()).toBe("");
    expect(sent({ ...message, id: "msg_pi_1" }, item("c"))).toEqual([]);
    expect(sent({ ...message, id: "msg_0" }, bound)).toEqual(
      ["msg_0", "fc_0_0"].map((id) => `Request 7: The item ${id} stands without the reasoning that it is bound to.`),
    );
  });

  it("does not read what is of another format", () => {
    expect(() => responses({ role: "user", content: [{ type: "text", text: "x" }] })).toThrow("a part of type text");
    expect(() => completions({ role: "function", content: "" })).toThrow("the role function");
  });
});

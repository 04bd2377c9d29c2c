import { describe, expect, it } from "vitest";
import { type Entry, messagesInFileOrder, readJournal, textOf } from "../src/index.ts";
import { bytesOf, entry, header, jsonl, kindsOf, user } from "./session-text.ts";

async function only(fields: object): Promise<Entry | undefined> {
  const journal = await readJournal(bytesOf(jsonl(header, entry("a", null, fields))));
  return journal.entries[0];
}

async function message(fields: object) {
  const read = await only({ type: "message", message: fields });
  return read?.type === "message" ? read.message : undefined;
}

describe("entries", () => {
  it.each([
    [{ type: "model_change", provider: "anthropic", modelId: "m" }],
    [{ type: "model_change", model: "openai/gpt-4o", role: "default" }],
    [{ type: "thinking_level_change", thinkingLevel: "high" }],
    [
      {
        type: "compaction",
        summary: "s",
        shortSummary: "t",
        firstKeptEntryId: "a",
        tokensBefore: 42,
        preserveData: {},
      },
    ],
    [{ type: "branch_summary", summary: "s", fromId: "root", fromExtension: true }],
    [{ type: "custom", customType: "x", data: { state: 1 } }],
    [{ type: "label", targetId: "a", label: "here" }],
    [{ type: "session_info", name: "my session" }],
    [{ type: "ttsr_injection", injectedRules: ["ruleA", "ruleB"] }],
    [{ type: "session_init", systemPrompt: "be good", task: "t", tools: ["read"], outputSchema: { type: "object" } }],
    [{ type: "mode_change", mode: "plan", data: { planFile: "/tmp/plan.md" } }],
  ])("of a known type keep all their fields: %j", async (fields) => {
    expect(await only({ ...fields, later: [1, { two: 3 }] })).toMatchObject({
      ...fields,
      id: "a",
      parentId: null,
      later: [1, { two: 3 }],
    });
  });

  it("of an unknown type are kept and passed over", async () => {
    const journal = await readJournal(
      bytesOf(
        jsonl(header, user("a", null, "one"), entry("b", "a", { type: "usage", tokens: 5 }), user("c", "b", "two")),
      ),
    );

    expect(journal.entries[1]).toMatchObject({
      type: "unknown",
      id: "b",
      parentId: "a",
      raw: { type: "usage", tokens: 5 },
    });
    expect(messagesInFileOrder(journal)).toHaveLength(2);
    expect(journal.problems.count).toBe(0);
  });

  it("of a known type in another shape are kept as unknown and reported", async () => {
    const journal = await readJournal(
      bytesOf(
        jsonl(header, entry("a", null, { type: "compaction" }), entry("b", "a", { type: "message", message: 5 })),
      ),
    );

    expect(journal.entries.map(({ type }) => type)).toEqual(["unknown", "unknown"]);
    expect(kindsOf(journal)).toEqual(["unreadable-entry:2", "unreadable-entry:3"]);
  });

  it("named like members of every object are only unknown", async () => {
    for (const type of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
      expect(await only({ type })).toMatchObject({ type: "unknown", raw: { type } });
    }
  });
});

describe("messages", () => {
  it("of the user may be a bare string or parts", async () => {
    const image = { type: "image", data: `blob:sha256:${"0".repeat(64)}`, mimeType: "image/png" };

    expect(await message({ role: "user", content: "hi" })).toMatchObject({ content: [{ type: "text", text: "hi" }] });
    expect(await message({ role: "user", content: [image] })).toMatchObject({ content: [image] });
    expect(await message({ role: "user" })).toMatchObject({ content: [] });
    expect(await message({ role: "user", content: null })).toMatchObject({ content: [] });
  });

  it("of the assistant keep text, thinking with its signature, calls, usage and model", async () => {
    const content = [
      { type: "thinking", thinking: "hm", thinkingSignature: "sig" },
      { type: "thinking", thinking: "", thinkingSignature: "enc", redacted: true },
      { type: "text", text: "one", textSignature: "t" },
      { type: "toolCall", id: "call_1", name: "read", arguments: { path: "a.ts" }, thoughtSignature: "g" },
      { type: "text", text: "two" },
    ];
    const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, cost: { total: 5 } };

    const read = await message({ role: "assistant", content, usage, provider: "p", model: "m", stopReason: "aborted" });

    expect(read).toEqual({ role: "assistant", content, usage, provider: "p", model: "m", stopReason: "aborted" });
    expect(read?.role === "assistant" && textOf(read.content)).toBe("one\ntwo");
  });

  it("take oh-my-pi's redacted thinking as redacted", async () => {
    expect(await message({ role: "assistant", content: [{ type: "redactedThinking", data: "enc" }] })).toMatchObject({
      content: [{ type: "thinking", thinking: "", thinkingSignature: "enc", redacted: true }],
    });
  });

  it("of tools keep their call, name, failure and details", async () => {
    const fields = {
      role: "toolResult",
      toolCallId: "call_1",
      toolName: "bash",
      content: [{ type: "text", text: "no such file" }],
      isError: true,
      details: { exitCode: 1 },
    };

    expect(await message(fields)).toEqual(fields);
  });

  it.each([
    [{ role: "bashExecution", command: "ls", output: "a\nb", exitCode: 0, excludeFromContext: true }],
    [{ role: "branchSummary", summary: "s", fromId: "root" }],
    [{ role: "compactionSummary", summary: "s", tokensBefore: 7 }],
  ])("of other roles are known: %j", async (fields) => {
    expect(await message(fields)).toEqual(fields);
  });

  it("of unknown roles and shapes are kept as unknown", async () => {
    expect(await message({ role: "developer", content: "x" })).toEqual({
      role: "unknown",
      raw: { role: "developer", content: "x" },
    });
    expect(await message({ role: "user", content: 5 })).toMatchObject({ role: "unknown" });
  });

  it("mend parts with missing or odd fields and lose nothing", async () => {
    const content = [
      { type: "text" },
      { type: "toolCall", name: "read" },
      { type: "toolCall", id: "c", name: "read", arguments: "[1]" },
      { type: "thinking", thinking: 5, thinkingSignature: 6 },
      { type: "video", url: "u" },
      null,
      "bare",
    ];

    expect(await message({ role: "assistant", content, usage: { input: "many" }, model: 5 })).toEqual({
      role: "assistant",
      usage: undefined,
      model: undefined,
      content: [
        { type: "text", text: "" },
        { type: "toolCall", id: "", name: "read", arguments: {} },
        { type: "toolCall", id: "c", name: "read", arguments: { value: "[1]" } },
        { type: "thinking", thinking: "", redacted: false },
        { type: "unknown", raw: { type: "video", url: "u" } },
        { type: "unknown", raw: null },
        { type: "unknown", raw: "bare" },
      ],
    });
  });

  it("keep own members called __proto__ in arguments and change no prototype", async () => {
    const line = `{"type":"message","id":"__proto__","parentId":null,"__proto__":{"polluted":1},"message":{"role":"assistant","__proto__":{"polluted":1},"content":[{"type":"toolCall","id":"c","name":"edit","arguments":{"__proto__":{"polluted":1},"constructor":2}}]}}\n`;

    const journal = await readJournal(bytesOf(`${jsonl(header)}${line}`));

    const [read] = messagesInFileOrder(journal);
    const part = read?.message.role === "assistant" ? read.message.content[0] : undefined;
    expect(JSON.stringify(part?.type === "toolCall" && part.arguments)).toBe(
      '{"__proto__":{"polluted":1},"constructor":2}',
    );
    expect(journal.byId.get("__proto__")).toBe(read);
    for (const object of [{}, read, read?.message, part]) expect(object).not.toHaveProperty("polluted");
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });
});

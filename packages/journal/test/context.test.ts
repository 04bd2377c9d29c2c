import { describe, expect, it } from "vitest";
import { contextOf, type Message, readJournal, textOf } from "../src/index.ts";
import { bytesOf, entry, header, jsonl, user } from "./session-text.ts";

const context = async (values: readonly unknown[], leafId?: string | null) =>
  contextOf(await readJournal(bytesOf(jsonl(header, ...values), 100)), leafId);

const assistant = (id: string, parentId: string, text: string) =>
  entry(id, parentId, {
    type: "message",
    message: { role: "assistant", content: [{ type: "text", text }], provider: "openai", model: "gpt-5" },
  });

const spoken = (messages: readonly Message[]) =>
  messages.map((message) => {
    if ("content" in message) return `${message.role}: ${textOf(message.content)}`;
    return "summary" in message ? `${message.role}: ${message.summary}` : message.role;
  });

describe("the context", () => {
  it("without a compaction is the whole path, custom messages and branch summaries included", async () => {
    const { messages } = await context([
      user("a", null, "one"),
      entry("b", "a", { type: "custom", customType: "x", data: 1 }),
      entry("c", "b", {
        type: "custom_message",
        customType: "x",
        content: "injected",
        display: true,
        details: { d: 1 },
      }),
      entry("d", "c", { type: "branch_summary", summary: "tried it", fromId: "z" }),
      entry("e", "d", { type: "branch_summary", summary: "", fromId: "z" }),
      assistant("f", "e", "two"),
    ]);

    expect(spoken(messages)).toEqual(["user: one", "custom: injected", "branchSummary: tried it", "assistant: two"]);
    expect(messages[1]).toMatchObject({ customType: "x", display: true, details: { d: 1 }, timestamp: 1771237260000 });
  });

  const compacted = [
    user("a", null, "old"),
    assistant("b", "a", "older answer"),
    user("c", "b", "kept"),
    assistant("d", "c", "kept answer"),
    entry("e", "d", { type: "compaction", summary: "the old part", firstKeptEntryId: "c", tokensBefore: 1000 }),
    user("f", "e", "new"),
  ];

  it("after a compaction is its summary, what it kept, and what came after", async () => {
    const { messages } = await context(compacted);

    expect(spoken(messages)).toEqual([
      "compactionSummary: the old part",
      "user: kept",
      "assistant: kept answer",
      "user: new",
    ]);
    expect(messages[0]).toMatchObject({ tokensBefore: 1000 });
  });

  it("before the compaction is the whole path", async () => {
    const { messages } = await context(compacted, "b");

    expect(spoken(messages)).toEqual(["user: old", "assistant: older answer"]);
  });

  it("after several compactions has the last summary only", async () => {
    const { messages } = await context([
      ...compacted,
      entry("g", "f", { type: "compaction", summary: "everything", firstKeptEntryId: "d" }),
      user("h", "g", "newest"),
    ]);

    expect(spoken(messages)).toEqual([
      "compactionSummary: everything",
      "assistant: kept answer",
      "user: new",
      "user: newest",
    ]);
  });

  it("keeps nothing where the compaction names an entry of another branch", async () => {
    const { messages } = await context([
      user("a", null, "one"),
      user("b", "a", "other branch"),
      entry("c", "a", { type: "compaction", summary: "s", firstKeptEntryId: "b" }),
      user("d", "c", "two"),
    ]);

    expect(spoken(messages)).toEqual(["compactionSummary: s", "user: two"]);
  });

  it("before all entries is empty", async () => {
    expect(await context(compacted, null)).toMatchObject({ messages: [], thinkingLevel: "off", mode: "none" });
  });
});

describe("the settings", () => {
  it("are the newest on the path, not in the file", async () => {
    const read = [
      user("a", null, "one"),
      entry("b", "a", { type: "thinking_level_change", thinkingLevel: "high" }),
      entry("c", "b", { type: "mode_change", mode: "plan", data: { planFile: "p" } }),
      entry("d", "a", { type: "thinking_level_change", thinkingLevel: "low" }),
      entry("e", "d", { type: "mode_change", mode: "none" }),
    ];

    expect(await context(read, "c")).toMatchObject({
      thinkingLevel: "high",
      mode: "plan",
      modeData: { planFile: "p" },
    });
    expect(await context(read)).toMatchObject({ thinkingLevel: "low", mode: "none", modeData: undefined });
  });

  it("have a model for each role, an explicit change before the one that answered", async () => {
    const asked = [user("a", null, "one"), assistant("b", "a", "two")];
    const change = (id: string, parentId: string, fields: object) =>
      entry(id, parentId, { type: "model_change", ...fields });

    const answered = await context(asked);
    const changed = await context([
      ...asked,
      change("c", "b", { model: "x/small", role: "__proto__" }),
      change("d", "c", { provider: "anthropic", modelId: "m" }),
      change("e", "d", {}),
      assistant("f", "e", "three"),
    ]);

    expect([...answered.models]).toEqual([["default", "openai/gpt-5"]]);
    expect([...changed.models]).toEqual([
      ["__proto__", "x/small"],
      ["default", "anthropic/m"],
    ]);
  });

  it("fall back to what a header of version 1 says", async () => {
    const v1 = { type: "session", id: "v1", provider: "anthropic", modelId: "m", thinkingLevel: "medium" };

    const read = contextOf(await readJournal(bytesOf(jsonl(v1))));

    expect(read.thinkingLevel).toBe("medium");
    expect(read.models.get("default")).toBe("anthropic/m");
  });

  it("list every injected rule once", async () => {
    const { injectedRules } = await context([
      entry("a", null, { type: "ttsr_injection", injectedRules: ["x", "y"] }),
      entry("b", "a", { type: "ttsr_injection", injectedRules: ["y", "z"] }),
    ]);

    expect(injectedRules).toEqual(["x", "y", "z"]);
  });

  it("have labels and name from the whole file, the last word counting", async () => {
    const label = (id: string, targetId: string, text?: string) =>
      entry(id, "a", { type: "label", targetId, label: text });
    const read = await context([
      user("a", null, "one"),
      label("b", "a", "first"),
      label("c", "a", "checkpoint"),
      label("d", "__proto__", "odd"),
      label("e", "b", "gone"),
      label("f", "b"),
      entry("g", "a", { type: "session_info", name: "early" }),
      entry("h", "a", { type: "session_info", name: "late" }),
      user("i", "a", "two"),
    ]);

    expect([...read.labels]).toEqual([
      ["a", "checkpoint"],
      ["__proto__", "odd"],
    ]);
    expect(read.name).toBe("late");
  });

  it("take the title of the header where no name was given, and no name where it was taken away", async () => {
    const titled = { ...header, title: "from the header" };
    const unnamed = entry("a", null, { type: "session_info", name: "" });

    const [first, second] = await Promise.all(
      [jsonl(titled), jsonl(titled, unnamed)].map(async (text) => contextOf(await readJournal(bytesOf(text))).name),
    );

    expect(first).toBe("from the header");
    expect(second).toBeUndefined();
  });
});

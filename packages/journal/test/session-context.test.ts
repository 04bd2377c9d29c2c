import { describe, expect, it } from "vitest";
import { buildSessionContext, type SessionEntry } from "../src/index.ts";

const timestamp = "2026-02-16T10:21:00.000Z";
const time = Date.parse(timestamp);
const at = (id: string, parentId: string | null, body: object) =>
  ({ id, parentId, timestamp, ...body }) as unknown as SessionEntry;
const said = (id: string, parentId: string | null, role = "user", more: object = {}) =>
  at(id, parentId, { type: "message", message: { role, content: id, ...more } });
const chain = (...bodies: readonly object[]) =>
  bodies.map((body, index) => at(`e${index}`, index === 0 ? null : `e${index - 1}`, body));
const message = (text: string, more: object = {}) => ({
  type: "message",
  message: { role: "user", content: text, ...more },
});
const contentsOf = (entries: readonly SessionEntry[], leafId?: string | null) =>
  buildSessionContext(entries, leafId).messages.map(({ content, summary }) => content ?? summary);

describe("buildSessionContext", () => {
  it("gives nothing for the leaf null", () => {
    expect(buildSessionContext([said("a", null)], null)).toEqual({
      messages: [],
      thinkingLevel: "off",
      models: {},
      injectedTtsrRules: [],
      mode: "none",
    });
  });

  it("takes the last entry where the leaf is unknown or not named", () => {
    const entries = [said("a", null), said("b", "a"), said("c", "a")];

    expect(contentsOf(entries)).toEqual(["a", "c"]);
    expect(contentsOf(entries, "gone")).toEqual(["a", "c"]);
    expect(contentsOf(entries, "b")).toEqual(["a", "b"]);
  });

  it("uses the index that it is given", () => {
    const entries = [said("a", null), said("b", "a")];
    const byId = new Map([["b", said("b", null)]]);

    expect(buildSessionContext(entries, "b", byId).messages).toHaveLength(1);
  });

  it("ends at a missing parent and at a ring", () => {
    expect(contentsOf([said("b", "gone"), said("c", "b")])).toEqual(["b", "c"]);
    expect(contentsOf([said("a", "b"), said("b", "a")])).toEqual(["a", "b"]);
    expect(contentsOf([said("a", "a")])).toEqual(["a"]);
  });

  it("derives levels, models, rules and mode along the path", () => {
    const entries = chain(
      { type: "thinking_level_change", thinkingLevel: "high" },
      message("x", { role: "assistant", provider: "anthropic", model: "first" }),
      { type: "model_change", model: "openai/small", role: "small" },
      message("x", { role: "assistant", provider: "anthropic", model: "second" }),
      { type: "ttsr_injection", injectedRules: ["b", "a"] },
      { type: "ttsr_injection", injectedRules: ["a", "c"] },
      { type: "mode_change", mode: "plan", data: { file: "p" } },
    );

    expect(buildSessionContext(entries)).toMatchObject({
      thinkingLevel: "high",
      models: { default: "anthropic/second", small: "openai/small" },
      injectedTtsrRules: ["b", "a", "c"],
      mode: "plan",
      modeData: { file: "p" },
    });
  });

  it("keeps a default model that was chosen, whatever model answers", () => {
    const entries = chain(
      { type: "model_change", model: "openai/gpt-4o" },
      message("x", { role: "assistant", provider: "anthropic", model: "other" }),
    );

    expect(buildSessionContext(entries).models).toEqual({ default: "openai/gpt-4o" });
    expect(buildSessionContext(entries, undefined, undefined, { dialect: "pi" }).models).toEqual({
      default: "anthropic/other",
    });
  });

  it("counts no level as off, and takes the last mode's data alone", () => {
    const entries = chain(
      { type: "thinking_level_change", thinkingLevel: "high" },
      { type: "thinking_level_change", thinkingLevel: null },
      { type: "mode_change", mode: "plan", data: { file: "p" } },
      { type: "mode_change", mode: "none" },
    );
    const context = buildSessionContext(entries);

    expect(context.thinkingLevel).toBe("off");
    expect(context.mode).toBe("none");
    expect(context.modeData).toBeUndefined();
  });

  it("makes messages of custom messages and summaries, and of nothing else", () => {
    const entries = chain(
      { type: "custom", customType: "ext", data: 1 },
      { type: "session_init", systemPrompt: "s", task: "t", tools: [] },
      { type: "custom_message", customType: "ext", content: "Injected", display: true, details: { d: 1 } },
      { type: "branch_summary", fromId: "e0", summary: "left" },
      { type: "branch_summary", fromId: "e0", summary: "" },
      { type: "label", targetId: "e0", label: "l" },
      { type: "of_tomorrow", message: { role: "user", content: "no" } },
    );

    expect(buildSessionContext(entries).messages).toEqual([
      { role: "custom", customType: "ext", content: "Injected", display: true, details: { d: 1 }, timestamp: time },
      { role: "branchSummary", summary: "left", fromId: "e0", timestamp: time },
    ]);
  });

  it("puts the last compaction first, then what it kept, then what follows", () => {
    const entries = chain(
      message("0"),
      message("1"),
      { type: "compaction", summary: "old", firstKeptEntryId: "e1", tokensBefore: 1 },
      message("3"),
      { type: "compaction", summary: "new", shortSummary: "n", firstKeptEntryId: "e1", tokensBefore: 9 },
      message("5"),
    );

    expect(contentsOf(entries)).toEqual(["new", "1", "3", "5"]);
    expect(buildSessionContext(entries).messages[0]).toEqual({
      role: "compactionSummary",
      summary: "new",
      shortSummary: "n",
      tokensBefore: 9,
      timestamp: time,
    });
  });

  it.each(["e1", "gone", "e2"])("keeps nothing where a compaction keeps from %s on, which is not before it", (kept) => {
    const entries = chain(message("0"), { type: "compaction", summary: "s", firstKeptEntryId: kept, tokensBefore: 1 });

    expect(contentsOf([...entries, said("e2", "e1")])).toEqual(["s", "e2"]);
  });

  it("is not stopped by entries that lack what their kind needs", () => {
    const entries = chain(
      { type: "message" },
      { type: "message", message: null },
      { type: "compaction" },
      { type: "ttsr_injection", injectedRules: "no" },
      { type: "mode_change" },
      message("ok"),
    );

    expect(contentsOf(entries)).toEqual(["ok"]);
  });

  it("does not change what it is given", () => {
    const entries = chain(message("0"), { type: "compaction", summary: "s", firstKeptEntryId: "e0", tokensBefore: 1 });
    const before = structuredClone(entries);
    const frozen = entries.map((entry) => Object.freeze(entry));

    buildSessionContext(Object.freeze(frozen));

    expect(entries).toEqual(before);
  });
});

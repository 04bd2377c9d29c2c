import { describe, expect, it } from "vitest";
import { buildSessionContext, messagesInFileOrder, readJournal, type SessionEntry } from "../src/index.ts";
import { bytesOf, entry, header, jsonl, kindsOf, user } from "./session-text.ts";

async function only(fields: object): Promise<SessionEntry | undefined> {
  const journal = await readJournal(bytesOf(jsonl(header, entry("a", null, fields))));
  return journal.entries[0];
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

    expect(journal.entries[1]).toMatchObject({ type: "usage", id: "b", parentId: "a", tokens: 5 });
    expect(messagesInFileOrder(journal)).toHaveLength(2);
    expect(journal.problems.count).toBe(0);
  });

  it("of a known type in another shape are kept, reported, and bring nothing into the context", async () => {
    const journal = await readJournal(
      bytesOf(
        jsonl(header, entry("a", null, { type: "compaction" }), entry("b", "a", { type: "message", message: 5 })),
      ),
    );

    expect(journal.entries).toMatchObject([{ type: "compaction" }, { type: "message", message: 5 }]);
    expect(buildSessionContext(journal.entries).messages).toEqual([]);
    expect(messagesInFileOrder(journal)).toEqual([]);
    expect(kindsOf(journal)).toEqual(["unreadable-entry:2", "unreadable-entry:3"]);
  });

  it("named like members of every object are only unknown", async () => {
    for (const type of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
      expect(await only({ type })).toMatchObject({ type, id: "a" });
    }
  });

  it("keep own members called __proto__ in arguments and change no prototype", async () => {
    const line = `{"type":"message","id":"__proto__","parentId":null,"__proto__":{"polluted":1},"message":{"role":"assistant","__proto__":{"polluted":1},"content":[{"type":"toolCall","id":"c","name":"edit","arguments":{"__proto__":{"polluted":1},"constructor":2}}]}}\n`;

    const journal = await readJournal(bytesOf(`${jsonl(header)}${line}`));

    const [read] = messagesInFileOrder(journal);
    const [part] = (read?.message.content ?? []) as { arguments: unknown }[];
    expect(JSON.stringify(part?.arguments)).toBe('{"__proto__":{"polluted":1},"constructor":2}');
    expect(journal.byId.get("__proto__")).toBe(read);
    for (const object of [{}, read, read?.message, part]) expect(object).not.toHaveProperty("polluted");
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });
});

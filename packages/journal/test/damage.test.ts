import { isCmError } from "@cm/object-model";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { activePath, buildSessionContext, type Journal, messagesInFileOrder, readJournal } from "../src/index.ts";
import { bytesOf, entry, header, idsOf, jsonl, user } from "./session-text.ts";

const session = Buffer.from(
  jsonl(
    header,
    user("a", null, "grüße 😀"),
    entry("b", "a", {
      type: "message",
      message: { role: "assistant", content: [{ type: "toolCall", id: "c", name: "read", arguments: { path: "é" } }] },
    }),
    entry("c", "b", { type: "message", message: { role: "toolResult", toolCallId: "c", content: "text" } }),
    entry("d", "c", { type: "compaction", summary: "s", firstKeptEntryId: "c", tokensBefore: 1 }),
    entry("e", "d", { type: "label", targetId: "a", label: "x" }),
  ),
);

/** Reads and uses everything; a damaged file may be refused, with a typed error only. */
async function read(bytes: Uint8Array): Promise<Journal | undefined> {
  try {
    const journal = await readJournal(bytesOf(bytes, 64));
    buildSessionContext(journal.entries, undefined, journal.byId);
    activePath(journal);
    messagesInFileOrder(journal);
    return journal;
  } catch (error) {
    if (isCmError(error)) return undefined;
    throw error;
  }
}

describe("a damaged file", () => {
  it("cut at any byte keeps every line before the cut", async () => {
    const whole = idsOf((await readJournal(bytesOf(session))).entries);
    const text = session.toString("latin1");

    for (let length = 0; length <= session.length; length += 1) {
      const journal = await read(session.subarray(0, length));

      const complete = text.slice(0, length).split("\n").length - 1;
      const ids = idsOf(journal?.entries ?? []);
      expect(whole.slice(0, ids.length)).toEqual(ids);
      // The line at the cut counts when only its line break is gone.
      expect(ids.length).toBeGreaterThanOrEqual(Math.max(0, complete - 1));
    }
  });

  it("with any bytes overwritten, left out or put in fails with typed errors at most", async () => {
    const damage = fc.record({
      at: fc.nat({ max: session.length }),
      cut: fc.nat({ max: 20 }),
      bytes: fc.uint8Array({ maxLength: 20 }),
    });

    await fc.assert(
      fc.asyncProperty(fc.array(damage, { maxLength: 5 }), async (damages) => {
        let bytes: Uint8Array = session;
        for (const { at, cut, bytes: put } of damages) {
          bytes = Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + cut)]);
        }

        await read(bytes);
      }),
      { numRuns: 500 },
    );
  });

  it("of arbitrary JSON objects fails with typed errors at most", async () => {
    const odd = fc.jsonValue({ maxDepth: 3 });
    const type = fc.constantFrom(
      ...["message", "compaction", "label", "model_change", "branch_summary", "custom_message", "mode_change"],
      ...["session", "session_init", "session_info", "ttsr_injection", "thinking_level_change", "__proto__"],
    );
    const role = fc.constantFrom("user", "assistant", "toolResult", "custom", "bashExecution", "hookMessage");
    const message = fc.oneof(odd, fc.record({ role, content: odd, usage: odd, timestamp: odd, toolCallId: odd }));
    const value = fc.record(
      { type, id: fc.oneof(fc.string(), odd), parentId: odd, timestamp: odd, message, content: odd, summary: odd },
      { requiredKeys: ["type"] },
    );
    const version = fc.constantFrom(1, 2, 3, 99, undefined);

    await fc.assert(
      fc.asyncProperty(version, fc.array(value, { maxLength: 20 }), async (given, values) => {
        const journal = await read(Buffer.from(jsonl({ ...header, version: given }, ...values)));

        expect(journal?.entries.length).toBe(values.filter((item) => item.type !== "session").length);
      }),
      { numRuns: 300 },
    );
  });
});

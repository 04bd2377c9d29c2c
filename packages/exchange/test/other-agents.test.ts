// Verifies: sessions of agents other than Pi get into a store branch by branch, at their times, and grow there.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStore, isDocumentOf, type ObjectStore, stepId } from "@cm/object-model";
import { verifyStore } from "@cm/session/verify";
import { afterAll, describe, expect, test } from "vitest";
import { exportSession, importSession } from "../src/index.ts";
import { allOf } from "./all-of.ts";

const folder = mkdtempSync(join(tmpdir(), "cm-exchange-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function written(name: string, lines: readonly object[]): string {
  writeFileSync(join(folder, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return join(folder, name);
}

interface ExportedEntry {
  readonly id: string;
  readonly parentId: string | null;
  readonly customType?: string;
  readonly message?: { readonly role: string; readonly content: readonly { text?: string; name?: string }[] };
}

/** What was said on the way to the leaf, and to the end of each branch that the session left. */
async function branches(store: ObjectStore, session: string) {
  const { lines } = await exportSession(store, session, { as: "pi", cwd: "/" });
  const entries = (await allOf(lines)).slice(1).map((line) => JSON.parse(line) as ExportedEntry);
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const parents = new Set(entries.map(({ parentId }) => parentId));
  const said = (leaf: ExportedEntry | undefined): string => {
    const texts: string[] = [];
    for (let entry = leaf; entry !== undefined; entry = byId.get(entry.parentId ?? "")) {
      const content = entry.message?.content ?? [];
      if (entry.message !== undefined) texts.push(content.map(({ text = "", name = "" }) => text + name).join("+"));
    }
    return texts.reverse().join(", ");
  };
  const left = entries.slice(0, -1).filter(({ id }) => !parents.has(id));
  return { active: said(entries.at(-1)), left: left.map(said) };
}

const minute = (n: number) => new Date(Date.parse("2026-02-16T10:00:30.000Z") + 60_000 * n).toISOString();

const user = (uuid: string, parentUuid: string | null, content: unknown, rest = {}) => ({
  ...{ type: "user", sessionId: "claude", uuid, parentUuid, cwd: "/work", message: { content }, ...rest },
});
const answer = (
  uuid: string,
  parentUuid: string,
  content: readonly object[],
  { message, stop_reason, ...rest }: { message?: string; stop_reason?: string; isSidechain?: boolean } = {},
) => ({
  ...{ type: "assistant", sessionId: "claude", uuid, parentUuid, ...rest },
  message: { id: message ?? uuid, model: "claude", content, stop_reason },
});
const text = (said: string) => ({ type: "text", text: said });
const call = (id: string, name: string) => ({ type: "tool_use", id, name, input: {} });
const result = (id: string, content: string) => [{ type: "tool_result", tool_use_id: id, content }];
const side = { isSidechain: true };

const transcript = [
  user("u1", null, "go"),
  // A name that every object has is no reason that is known.
  answer("a1", "u1", [text("one")], { stop_reason: "toString" }),
  user("u2", "a1", "left"),
  answer("a2", "u2", [text("wrong way")]),
  user("u3", "a1", "again"),
  answer("a3", "u3", [text("let me see")], { message: "m3" }),
  answer("a4", "a3", [call("c1", "Task")], { message: "m3" }),
  answer("a5", "a4", [call("c2", "Read")], { message: "m3" }),
  user("s1", null, "sub-task", side),
  answer("s2", "s1", [text("sub-answer")], side),
  user("r1", "a4", result("c1", "first")),
  user("r2", "a5", result("c2", "second")),
  answer("a6", "r2", [text("seen")]),
  user("u4", "a6", "thanks"),
].map((line, n) => ({ ...line, timestamp: minute(n) }));
const active = "go, one, again, let me see+Task+Read, first, second, seen, thanks";

describe("a transcript of Claude Code", () => {
  test("comes with the branches that were left, the talk of sub-agents among them", async () => {
    const store = createMemoryStore();

    const { steps } = await importSession(store, written("claude.jsonl", transcript));

    expect(steps).toBe(5);
    expect(await branches(store, "claude")).toEqual({
      active,
      left: ["go, one, left, wrong way", "sub-task, sub-answer"],
    });
    expect(await allOf(verifyStore(store))).toEqual([]);
  });

  test("that was cut at any line when it was first imported gets to where it stands now", async () => {
    for (let cut = 1; cut < transcript.length; cut += 1) {
      const store = createMemoryStore();
      await importSession(store, written("cut.jsonl", transcript.slice(0, cut)));
      const whole = written("whole.jsonl", transcript);

      const second = await importSession(store, whole);
      const third = await importSession(store, whole);
      const older = await importSession(store, written("cut.jsonl", transcript.slice(0, cut))).catch(
        ({ code }) => code,
      );

      expect(second.outcome).toBe("extended");
      expect(third).toMatchObject({ outcome: "unchanged", steps: 0 });
      expect([older.outcome ?? older, cut]).toEqual([expect.stringMatching(/^(unchanged|exchange\/changed)$/), cut]);
      const after = await branches(store, "claude");
      expect(after.active).toBe(active);
      // Nothing but an answer that had not come to its end stands there twice.
      for (const left of after.left)
        expect([
          "go, one, left, wrong way",
          "sub-task, sub-answer",
          "go, one, again, let me see",
          "go, one, again, let me see+Task",
        ]).toContain(left);
      expect(await allOf(verifyStore(store))).toEqual([]);
    }
  });

  test("has each step at the minute at which it ended", async () => {
    const store = createMemoryStore();
    await importSession(store, written("times.jsonl", transcript));

    const ids = [0, 1, 2, 3, 4].map((n) => stepId({ session: "claude", n }));
    const found = await store.getMany(ids);

    expect(ids.map((id) => found.get(id)?.validTime.toISOString())).toEqual([1, 3, 11, 11, 12].map(minute));
    expect(found.size).toBe(5);
  });

  test("that says something else from the first word on is refused", async () => {
    const store = createMemoryStore();
    await importSession(store, written("claude.jsonl", transcript));

    const other = written("claude.jsonl", [user("u1", null, "another"), ...transcript.slice(1)]);

    await expect(importSession(store, other)).rejects.toMatchObject({ code: "exchange/changed" });
  });
});

describe("a rollout of Codex", () => {
  const line = (type: string, payload: object) => ({ timestamp: minute(0), type, payload });
  const said = (role: string, words: string) =>
    line("response_item", { type: "message", role, content: [text(words)] });
  const prompt = (words: string) => [said("user", words), line("event_msg", { type: "user_message" })];
  const back = (turns: number) => line("event_msg", { type: "thread_rolled_back", num_turns: turns });
  const rollout = [
    line("session_meta", { id: "codex", cwd: "/work" }),
    ...[...prompt("go"), said("assistant", "one")],
    ...[...prompt("left"), said("assistant", "wrong"), back(1)],
    ...[...prompt("again"), said("assistant", "wrong, too"), back(1)],
    ...[...prompt("last"), said("assistant", "right")],
  ];

  test("comes with the turns that were rolled back as branches", async () => {
    const store = createMemoryStore();
    await importSession(store, written("codex.jsonl", rollout));

    expect(await branches(store, "codex")).toEqual({
      active: "go, one, last, right",
      left: ["go, one, left, wrong", "go, one, again, wrong, too"],
    });
  });

  test("stands where it was rolled back to, and goes on from there", async () => {
    const store = createMemoryStore();
    await importSession(store, written("codex.jsonl", rollout.slice(0, 8)));
    const before = await branches(store, "codex");

    await importSession(store, written("codex.jsonl", rollout));

    expect(before).toMatchObject({ active: "go, one" });
    expect((await branches(store, "codex")).active).toBe("go, one, last, right");
  });
});

describe("a session of opencode", () => {
  const message = (id: string, role: string, said: string) => ({
    info: { id, role, time: { created: Date.parse(minute(Number(id))) } },
    parts: [{ type: "text", text: said }],
  });
  const exported = (messages: readonly object[], revert?: object) => {
    const info = { id: "opencode", directory: "/work", revert };
    writeFileSync(join(folder, "opencode.json"), JSON.stringify({ info, messages }));
    return join(folder, "opencode.json");
  };
  const [go, one, left, wrong] = [
    message("1", "user", "go"),
    message("2", "assistant", "one"),
    message("3", "user", "left"),
    message("4", "assistant", "wrong"),
  ] as const;

  test("comes with what was taken back, and goes on where that is gone from the file", async () => {
    const store = createMemoryStore();
    await importSession(store, exported([go, one, left, wrong], { messageID: "3" }));
    const first = await branches(store, "opencode");

    await importSession(store, exported([go, one, message("5", "user", "again"), message("6", "assistant", "right")]));

    const head = (await store.getMany([stepId({ session: "opencode", n: 2 })])).values().next().value?.document;
    expect(first).toMatchObject({ active: "go, one" });
    expect(await branches(store, "opencode")).toEqual({
      active: "go, one, again, right",
      left: ["go, one, left, wrong"],
    });
    expect(isDocumentOf(head, "step") && head.parent).toEqual({ session: "opencode", n: 0 });
  });
});

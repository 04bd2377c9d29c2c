import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isCmError } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { SessionManager } from "../src/index.ts";
import { header, jsonl } from "./session-text.ts";
import { assistant, optionsIn, tempFolder, user } from "./support/places.ts";

const inMemory = () => SessionManager.inMemory("/work", optionsIn("/nowhere"));
const idsOf = (entries: readonly { readonly id: string }[]) => entries.map(({ id }) => id);

describe("appending", () => {
  it("makes one entry of each kind below the leaf, which it becomes", () => {
    const session = inMemory();
    const steps: readonly (readonly [string, () => string])[] = [
      ["message", () => session.appendMessage(user("one"))],
      ["thinking_level_change", () => session.appendThinkingLevelChange("high")],
      ["model_change", () => session.appendModelChange("openai/gpt-4o", "small")],
      ["compaction", () => session.appendCompaction("s", { firstKeptEntryId: "x", tokensBefore: 1 })],
      ["branch_summary", () => session.branchWithSummary(session.getLeafId(), "s")],
      ["custom", () => session.appendCustomEntry("ext", { a: 1 })],
      ["custom_message", () => session.appendCustomMessageEntry("ext", "text")],
      ["label", () => session.appendLabelChange(session.getLeafId() as string, "here")],
      ["ttsr_injection", () => session.appendTtsrInjection(["rule"])],
      ["session_init", () => session.appendSessionInit({ systemPrompt: "s", task: "t", tools: ["read"] })],
      ["mode_change", () => session.appendModeChange("plan", { file: "p" })],
      ["of_tomorrow", () => session.appendEntry({ type: "of_tomorrow", some: 1 })],
    ];
    for (const [type, append] of steps) {
      const leaf = session.getLeafId();
      const count = session.getEntries().length;

      const id = append();

      expect(id).toMatch(/^[0-9a-f]{8}$/);
      expect(session.getEntries()).toHaveLength(count + 1);
      expect(session.getLeafId()).toBe(id);
      expect(session.getLeafEntry()).toMatchObject({ type, id, parentId: leaf });
      expect(new Date(session.getLeafEntry()?.timestamp ?? "").toISOString()).toBe(session.getLeafEntry()?.timestamp);
    }
  });

  it("refuses what is not of its kind, and changes nothing", () => {
    const session = inMemory();

    expect(() => session.appendMessage({} as never)).toThrow("message");
    expect(session.getEntries()).toEqual([]);
  });
});

describe("the leaf", () => {
  it("moves without a new entry, and the next one hangs there", () => {
    const session = inMemory();
    const first = session.appendMessage(user("one"));
    session.appendMessage(assistant("two"));

    session.branch(first);
    const other = session.appendMessage(assistant("other"));
    session.resetLeaf();
    const root = session.appendMessage(user("root"));

    expect(session.getEntry(other)?.parentId).toBe(first);
    expect(session.getEntry(root)?.parentId).toBeNull();
    expect(session.getEntries()).toHaveLength(4);
    expect(idsOf(session.getBranch())).toEqual([root]);
    expect(idsOf(session.getChildren(first))).toHaveLength(2);
  });

  it.each([
    ["branch", (session: SessionManager) => session.branch("gone")],
    ["branchWithSummary", (session: SessionManager) => session.branchWithSummary("gone", "s")],
    ["appendLabelChange", (session: SessionManager) => session.appendLabelChange("gone", "l")],
    ["createBranchedSession", (session: SessionManager) => session.createBranchedSession("gone")],
  ])("is not moved by %s to an entry that is not there", (_what, act) => {
    const session = inMemory();
    const first = session.appendMessage(user("one"));
    let error: unknown;
    try {
      act(session);
    } catch (thrown) {
      error = thrown;
    }

    expect(isCmError(error, "journal/unknown-entry")).toBe(true);
    expect(session.getLeafId()).toBe(first);
    expect(session.getEntries()).toHaveLength(1);
  });

  it("goes with a summary of what was left, from the target or the root", () => {
    const session = inMemory();
    const first = session.appendMessage(user("one"));
    session.appendMessage(assistant("two"));

    session.branchWithSummary(first, "left", { details: { n: 1 }, fromExtension: true });
    const fromFirst = session.getLeafEntry();
    session.branchWithSummary(null, "left");

    expect(fromFirst).toMatchObject({ parentId: first, fromId: first, details: { n: 1 }, fromExtension: true });
    expect(session.getLeafEntry()).toMatchObject({ parentId: null, fromId: "root" });
  });
});

describe("labels", () => {
  it("are the last one given, and go with none or an empty one", () => {
    const session = inMemory();
    const first = session.appendMessage(user("one"));
    const seen = ["a", "b", undefined, "c", ""].map((label) => {
      session.appendLabelChange(first, label);
      return session.getLabel(first);
    });

    expect(seen).toEqual(["a", "b", undefined, "c", undefined]);
    expect(session.buildSessionContext().messages).toHaveLength(1);
  });
});

describe("the tree", () => {
  it("has lost entries, and one of each ring, as roots, and children by their time", async () => {
    const folder = tempFolder();
    const path = join(folder, "s.jsonl");
    const at = (id: string, parentId: string | null, second: number) => ({
      ...{ type: "custom", id, parentId, timestamp: `2026-02-16T10:21:0${second}.000Z`, customType: "x" },
    });
    const entries = [at("a", null, 0), at("late", "a", 9), at("early", "a", 1), at("lost", "gone", 2)];
    writeFileSync(path, jsonl(header, ...entries, at("self", "self", 3), at("x", "y", 4), at("y", "x", 5)));

    const session = await SessionManager.open(path, undefined, optionsIn(folder));

    const tree = session.getTree();
    expect(tree.map(({ entry }) => entry.id)).toEqual(["a", "lost", "self", "x"]);
    expect(tree[0]?.children.map(({ entry }) => entry.id)).toEqual(["early", "late"]);
    expect(tree[3]?.children.map(({ entry }) => entry.id)).toEqual(["y"]);
    expect(idsOf(session.getBranch("y"))).toEqual(["x", "y"]);
  });
});

describe("a branch as a session of its own", () => {
  it("has the path alone in one chain, and its labels at the end", async () => {
    const session = SessionManager.create("/work", undefined, optionsIn(tempFolder()));
    const first = session.appendMessage(user("one"));
    const label = session.appendLabelChange(first, "start");
    const second = session.appendMessage(assistant("two"));
    session.appendCompaction("s", { firstKeptEntryId: label, tokensBefore: 1 });
    const leaf = session.getLeafId() as string;
    session.branch(first);
    session.appendMessage(assistant("not on the path"));
    const parent = session.getSessionFile();

    const path = session.createBranchedSession(leaf) as string;

    const entries = session.getEntries();
    expect(entries.map(({ type, parentId }) => [type, parentId])).toEqual([
      ["message", null],
      ["message", first],
      ["compaction", second],
      ["label", leaf],
    ]);
    expect(entries[2]).toMatchObject({ firstKeptEntryId: second });
    expect(entries[3]).toMatchObject({ targetId: first, label: "start" });
    expect(session.getHeader()).toMatchObject({ parentSession: parent });
    expect(readFileSync(path, "utf8")).toBe(jsonl(session.getHeader(), ...entries));
    await session.close();
    expect(
      readFileSync(parent as string, "utf8")
        .trim()
        .split("\n"),
    ).toHaveLength(6);
  });
});

describe("a fork", () => {
  it("is the whole history under another id", async () => {
    const session = SessionManager.create("/work", undefined, optionsIn(tempFolder()));
    session.appendMessage(user("one"));
    session.appendMessage(assistant("two"));
    await session.setSessionName("name");
    const [id, entries] = [session.getSessionId(), session.getEntries()];

    const files = await session.fork();
    session.appendMessage(user("three"));
    await session.close();

    expect(session.getHeader()).toMatchObject({ parentSession: id, title: "name" });
    expect(session.getSessionId()).not.toBe(id);
    expect(session.getEntries().slice(0, 2)).toEqual(entries);
    expect(files?.newSessionFile).toBe(session.getSessionFile());
    const lines = (path?: string) =>
      readFileSync(path as string, "utf8")
        .trim()
        .split("\n").length;
    expect([lines(files?.oldSessionFile), lines(files?.newSessionFile)]).toEqual([3, 4]);
    expect(await inMemory().fork()).toBeUndefined();
  });

  it("of another file is migrated, and leaves that file", async () => {
    const folder = tempFolder();
    const path = join(folder, "old.jsonl");
    const { version: _none, ...first } = header;
    const text = jsonl(first, { type: "message", timestamp: header.timestamp, message: assistant("one") });
    writeFileSync(path, text);

    const session = await SessionManager.forkFrom(path, "/elsewhere", optionsIn(folder));

    expect(session.getHeader()).toMatchObject({ version: 3, cwd: "/elsewhere", parentSession: header.id });
    expect(session.buildSessionContext().messages).toEqual([assistant("one")]);
    expect(readFileSync(session.getSessionFile() as string, "utf8")).toBe(
      jsonl(session.getHeader(), ...session.getEntries()),
    );
    expect(readFileSync(path, "utf8")).toBe(text);
  });
});

describe("moving and rewriting", () => {
  it("takes the file to the folder of the other working directory", async () => {
    const session = SessionManager.create("/work", undefined, optionsIn(tempFolder()));
    session.appendMessage(assistant("one"));
    await session.flush();
    const before = session.getSessionFile() as string;

    await session.moveTo("/other/place");
    session.appendMessage(user("two"));
    await session.close();

    const after = session.getSessionFile() as string;
    expect(after).toBe(before.replace("--work--", "--other-place--"));
    expect(readFileSync(after, "utf8")).toBe(jsonl(session.getHeader(), ...session.getEntries()));
    expect(session.getHeader().cwd).toBe("/other/place");
  });

  it("changes the arguments of a call in the file", async () => {
    const session = SessionManager.create("/work", undefined, optionsIn(tempFolder()));
    const call = { type: "toolCall", id: "c1", name: "read", arguments: { path: "a" } };
    session.appendMessage({ ...assistant(""), content: [call] });

    expect(await session.rewriteToolCallArguments("c1", { path: "b" })).toBe(true);
    expect(await session.rewriteToolCallArguments("c2", {})).toBe(false);

    expect(readFileSync(session.getSessionFile() as string, "utf8")).toContain('"arguments":{"path":"b"}');
    await session.close();
  });
});

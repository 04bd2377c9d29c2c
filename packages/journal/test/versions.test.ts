import { describe, expect, it } from "vitest";
import { activePath, readJournal } from "../src/index.ts";
import { bytesOf, entry, header, idsOf, jsonl, kindsOf } from "./session-text.ts";

const message = (role: string, text: string) => ({ type: "message", message: { role, content: text } });

describe("version 1", () => {
  const file = jsonl(
    { type: "session", id: "v1", cwd: "/work", provider: "anthropic", modelId: "m-1", thinkingLevel: "low" },
    message("user", "one"),
    message("user", "two"),
    { type: "compaction", summary: "so far", firstKeptEntryIndex: 2, tokensBefore: 10 },
    message("hookMessage", "three"),
  );

  it("gets ids and one chain in file order", async () => {
    const journal = await readJournal(bytesOf(file));

    expect(journal.fileVersion).toBe(1);
    expect(journal.header).toMatchObject({ version: 3, id: "v1", cwd: "/work", modelId: "m-1" });
    expect(journal.entries.map(({ id, parentId }) => [id, parentId])).toEqual([
      ["line-2", null],
      ["line-3", "line-2"],
      ["line-4", "line-3"],
      ["line-5", "line-4"],
    ]);
    expect(idsOf(activePath(journal))).toEqual(idsOf(journal.entries));
    expect(journal.problems.count).toBe(0);
  });

  it("gets the same ids at every reading", async () => {
    const [first, second] = [await readJournal(bytesOf(file)), await readJournal(bytesOf(file, 100))];

    expect(first).toEqual(second);
  });

  it("has positions of kept entries turned into ids, counting the header", async () => {
    const journal = await readJournal(bytesOf(file));

    expect(journal.entries[2]).toMatchObject({ type: "compaction", firstKeptEntryId: "line-3" });
    expect(journal.entries[2]).not.toHaveProperty("firstKeptEntryIndex");
  });

  it("keeps nothing where the position points outside the file or at the header", async () => {
    for (const firstKeptEntryIndex of [0, -1, 99, 1.5]) {
      const text = jsonl({ type: "session", id: "v1" }, { type: "compaction", summary: "s", firstKeptEntryIndex });

      const journal = await readJournal(bytesOf(text));

      expect(journal.entries[0]).toMatchObject({ type: "compaction" });
      expect(journal.entries[0]).not.toMatchObject({ firstKeptEntryId: expect.anything() });
    }
  });

  it("has its hook messages renamed to custom", async () => {
    const journal = await readJournal(bytesOf(file));

    expect(journal.entries[3]).toMatchObject({ message: { role: "custom", content: "three" } });
  });
});

describe("version 2", () => {
  it("keeps its tree and has its hook messages renamed to custom", async () => {
    const text = jsonl(
      { ...header, version: 2 },
      entry("a", null, message("user", "one")),
      entry("b", "a", message("hookMessage", "two")),
      entry("c", "a", message("user", "three")),
    );

    const journal = await readJournal(bytesOf(text));

    expect(journal.fileVersion).toBe(2);
    expect(journal.entries.map((item) => item.type === "message" && item.message.role)).toEqual([
      "user",
      "custom",
      "user",
    ]);
    expect(idsOf(activePath(journal))).toEqual(["a", "c"]);
  });
});

describe("version 3", () => {
  it("is read as it stands, hook messages too", async () => {
    const journal = await readJournal(bytesOf(jsonl(header, entry("a", null, message("hookMessage", "x")))));

    expect(journal.entries[0]).toMatchObject({ type: "message", message: { role: "hookMessage" } });
  });
});

describe("other versions", () => {
  it("newer than 3 are left alone and reported", async () => {
    const journal = await readJournal(bytesOf(jsonl({ ...header, version: 4 })));

    expect(journal.fileVersion).toBe(4);
    expect(journal.header.version).toBe(4);
    expect(kindsOf(journal)).toEqual(["newer-version:1"]);
  });

  it.each([["three"], [-1], [2.5], [null]])("%s counts as absent, which is 1", async (version) => {
    const journal = await readJournal(bytesOf(jsonl({ ...header, version })));

    expect(journal.fileVersion).toBe(1);
  });
});

import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isCmError } from "@cm/object-model";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readJournal } from "../src/index.ts";
import { bytesOf, header, idsOf, jsonl, kindsOf, user } from "./session-text.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cm-journal-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("readJournal", () => {
  it("reads a file and leaves it as it was, also one of an old version", async () => {
    const file = join(folder, "old.jsonl");
    await writeFile(file, jsonl({ type: "session", id: "old" }, { type: "message", message: { role: "user" } }));
    await chmod(file, 0o444);
    const before = [await readFile(file, "utf8"), (await stat(file)).mtimeMs];

    const journal = await readJournal(file);

    expect(journal.fileVersion).toBe(1);
    expect(journal.entries).toHaveLength(1);
    expect([await readFile(file, "utf8"), (await stat(file)).mtimeMs]).toEqual(before);
  });

  it("skips and counts bad and cut lines", async () => {
    const text = `${jsonl(header)}\u0000garbage\n${jsonl(user("a", null, "one"))}${JSON.stringify(user("b", "a", "two")).slice(0, -9)}`;

    const journal = await readJournal(bytesOf(text));

    expect(journal.skipped).toEqual({ count: 2, first: [2, 4] });
    expect(idsOf(journal.entries)).toEqual(["a"]);
  });

  it("remembers a bounded number of skipped lines", async () => {
    const journal = await readJournal(bytesOf(`${jsonl(header)}${"x\n".repeat(1000)}`, 500));

    expect(journal.skipped.count).toBe(1000);
    expect(journal.skipped.first).toHaveLength(20);
  });

  it.each([
    ["no bytes at all", ""],
    ["text without JSON", "hello\nworld\n"],
    ["JSON that is no session", '{"name":"@cm/journal"}\n'],
    ["a header without an id", '{"type":"session","version":3}\n'],
    ["entries without a header", jsonl(user("a", null, "one"))],
    ["a Claude Code transcript", jsonl({ type: "user", sessionId: "x", message: { role: "user", content: "hi" } })],
  ])("refuses %s", async (_what, text) => {
    await expect(readJournal(bytesOf(text))).rejects.toMatchObject({ code: "journal/not-a-session" });
  });

  it("reads on without a header where that is asked for", async () => {
    const text = `{"type":"session","ver\n${jsonl(user("a", null, "one"), user("b", "a", "two"))}`;

    const journal = await readJournal(bytesOf(text), { headerless: true });

    expect(journal.header).toMatchObject({ type: "session", version: 3, id: "" });
    expect(idsOf(journal.entries)).toEqual(["a", "b"]);
    expect(kindsOf(journal)).toEqual(["no-header:1"]);
  });

  it("reads a file of the newest oh-my-pi, whose first line is a title", async () => {
    const journal = await readJournal(bytesOf(jsonl({ type: "title", title: "t" }, header, user("a", null, "one"))));

    expect(journal.header.id).toBe("s-1");
    expect(idsOf(journal.entries)).toEqual(["a"]);
    expect(journal.problems.count).toBe(0);
  });

  it("reads a headerless file without ids as version 1, and still refuses what is no session", async () => {
    const journal = await readJournal(bytesOf(jsonl({ type: "message", message: { role: "user" } })), {
      headerless: true,
    });

    expect(journal.fileVersion).toBe(1);
    await expect(readJournal(bytesOf('{"type":"other"}\n'), { headerless: true })).rejects.toMatchObject({
      code: "journal/not-a-session",
    });
  });

  it("tells a missing file, a folder and an impossible path apart by their reason", async () => {
    await expect(readJournal(join(folder, "missing.jsonl"))).rejects.toMatchObject({
      code: "journal/unreadable",
      data: { file: "missing.jsonl", reason: "ENOENT" },
    });
    await expect(readJournal(folder)).rejects.toMatchObject({ code: "journal/unreadable", data: { reason: "EISDIR" } });
    await expect(readJournal("a\u0000b")).rejects.toMatchObject({ code: "journal/unreadable", data: { file: "a?b" } });
  });

  it("wraps the failure of given bytes, and bytes that are none", async () => {
    const failing = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from("{");
      throw new Error("secret content");
    };
    const strings = async function* () {
      yield "text" as unknown as Uint8Array;
    };

    const error = await readJournal(failing()).catch((caught: unknown) => caught);

    expect(isCmError(error, "journal/unreadable")).toBe(true);
    expect(JSON.stringify(error)).not.toContain("secret");
    await expect(readJournal(strings())).rejects.toMatchObject({ data: { reason: "not bytes" } });
  });

  it("never repeats content or folders in an error", async () => {
    const file = join(folder, "secret.jsonl");
    await writeFile(file, '{"canary":"hunter2"}\n');

    const error = await readJournal(file).catch((caught: unknown) => caught);

    expect(JSON.stringify(error)).not.toContain("hunter2");
    expect(JSON.stringify(error)).not.toContain(folder);
    expect(error).toMatchObject({ data: { file: "secret.jsonl", objects: 1, skipped: 0 } });
  });
});

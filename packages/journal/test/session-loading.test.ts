import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isCmError } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { loadEntriesFromFile, SessionManager } from "../src/index.ts";
import { header, jsonl } from "./session-text.ts";
import { optionsIn, tempFolder, user } from "./support/places.ts";

function fileWith(text: string): { folder: string; path: string } {
  const folder = join(tempFolder(), "sessions");
  mkdirSync(folder);
  const path = join(folder, "s.jsonl");
  writeFileSync(path, text);
  return { folder, path };
}

const timestamp = "2026-02-16T10:21:00.000Z";
const said = (id: string, parentId: string | null) =>
  ({ type: "message", id, parentId, timestamp, message: user(id) }) as const;

describe("loading entries", () => {
  it.each([
    ["nothing", ""],
    ["blank lines", "\n \n"],
    ["no header", jsonl(said("a", null))],
    ["a header without an id", jsonl({ ...header, id: 7 }, said("a", null))],
  ])("gives nothing for %s", async (_what, text) => {
    expect(await loadEntriesFromFile(fileWith(text).path)).toEqual([]);
  });

  it("gives nothing for a file that is not there", async () => {
    expect(await loadEntriesFromFile(join(tempFolder(), "none.jsonl"))).toEqual([]);
  });

  it("leaves out what cannot be read and keeps the rest, with kinds and fields of tomorrow", async () => {
    const strange = { type: "of_tomorrow", id: "x", parentId: "a", timestamp, some: { thing: [1] } };
    const { path } = fileWith(
      `garbage\n${jsonl({ ...header, more: 1 })}\n{"cut":\r\n${jsonl(said("a", null), strange)}{"type":"message","id"`,
    );

    expect(await loadEntriesFromFile(path)).toEqual([{ ...header, more: 1 }, said("a", null), strange]);
  });

  it("finds whole lines behind half a line, and two in one", async () => {
    const [one, two, three] = [said("a", null), said("b", "a"), said("c", "b")].map((entry) => JSON.stringify(entry));
    const { path } = fileWith(`${jsonl(header)}{"type":"message","id":"lost","message":{"ro${one}\n${two}${three}\n`);

    expect((await loadEntriesFromFile(path)).map(({ id }) => id)).toEqual([header.id, "a", "b", "c"]);
  });
});

describe("opening a file of version 1", () => {
  const entries = [
    { type: "message", timestamp, message: user("0") },
    { type: "message", timestamp, message: { ...user("1"), role: "hookMessage" } },
    { type: "compaction", timestamp, summary: "s", firstKeptEntryIndex: 2, tokensBefore: 5 },
  ];
  const { version: _none, ...first } = header;

  it("chains the entries, turns the position into an id, and rewrites the file at once", async () => {
    const { folder, path } = fileWith(jsonl(first, ...entries));

    const session = await SessionManager.open(path, undefined, optionsIn(folder));

    const [a, b, c] = session.getEntries();
    expect([a?.parentId, b?.parentId, c?.parentId]).toEqual([null, a?.id, b?.id]);
    expect(c).toMatchObject({ firstKeptEntryId: b?.id });
    expect(c).not.toHaveProperty("firstKeptEntryIndex");
    expect(b).toMatchObject({ message: { role: "custom" } });
    expect(readFileSync(path, "utf8")).toBe(jsonl({ ...first, version: 3 }, a, b, c));
    expect(readdirSync(folder)).toEqual(["s.jsonl"]);
  });

  it("keeps the old bytes beside where the rewrite leaves out a line", async () => {
    const old = `${jsonl(first, ...entries)}{"cut`;
    const { folder, path } = fileWith(old);

    await SessionManager.open(path, undefined, optionsIn(folder));

    const [kept] = readdirSync(folder).filter((name) => name.includes(".bak-"));
    expect(readFileSync(join(folder, kept as string), "utf8")).toBe(old);
  });
});

describe("opening a file", () => {
  it("of version 2 renames the role alone", async () => {
    const hook = { ...said("a", null), message: { ...user("a"), role: "hookMessage" } };
    const { folder, path } = fileWith(jsonl({ ...header, version: 2 }, hook));

    const session = await SessionManager.open(path, undefined, optionsIn(folder));

    expect(session.getEntries()).toEqual([{ ...hook, message: { ...user("a"), role: "custom" } }]);
    expect(session.getHeader().version).toBe(3);
  });

  it.each([
    ["version 3", jsonl(header, said("a", null))],
    ["a later version", jsonl({ ...header, version: 9 }, said("a", null))],
    ["a cut end", `${jsonl(header, said("a", null))}{"typ`],
  ])("of %s does not touch it", async (_what, text) => {
    const { folder, path } = fileWith(text);
    const before = statSync(path, { bigint: true });

    await (await SessionManager.open(path, undefined, optionsIn(folder))).close();

    expect(readFileSync(path, "utf8")).toBe(text);
    expect(statSync(path, { bigint: true })).toMatchObject({ mtimeNs: before.mtimeNs, ino: before.ino });
    expect(readdirSync(folder)).toEqual(["s.jsonl"]);
  });

  it("that was migrated a moment ago does not touch it either", async () => {
    const { version: _none, ...first } = header;
    const { folder, path } = fileWith(jsonl(first, { type: "message", timestamp, message: user("0") }));
    const one = await SessionManager.open(path, undefined, optionsIn(folder));
    const before = statSync(path, { bigint: true });

    const two = await SessionManager.open(path, undefined, optionsIn(folder));

    expect(statSync(path, { bigint: true })).toMatchObject({ mtimeNs: before.mtimeNs, ino: before.ino });
    expect(two.getEntries()).toEqual(one.getEntries());
  });

  it("that is no session keeps its bytes beside and begins a new one there", async () => {
    const bytes = Buffer.from([0xff, 0x00, 0x0a, 0x7b]);
    const { folder, path } = fileWith("");
    writeFileSync(path, bytes);

    const session = await SessionManager.open(path, undefined, optionsIn(folder));

    const [kept] = readdirSync(folder).filter((name) => name !== "s.jsonl");
    expect(readFileSync(join(folder, kept as string))).toEqual(bytes);
    expect(readFileSync(path, "utf8")).toBe(jsonl(session.getHeader()));
  });

  it("that is no session is refused where that is wished, and stays", async () => {
    const { folder, path } = fileWith("my notes\n");

    const error = await SessionManager.open(path, undefined, optionsIn(folder, { onInvalid: "throw" })).catch((e) => e);

    expect(isCmError(error, "journal/not-a-session")).toBe(true);
    expect(readFileSync(path, "utf8")).toBe("my notes\n");
    expect(readdirSync(folder)).toEqual(["s.jsonl"]);
  });

  it("keeps the title line of newer programs through a rewrite", async () => {
    const title = `{"type":"title","title":"t"}${" ".repeat(227)}`;
    const { folder, path } = fileWith(`${title}\n${jsonl({ ...header, version: 2 }, said("a", null))}`);

    const session = await SessionManager.open(path, undefined, optionsIn(folder));
    session.appendMessage({ role: "assistant", content: [] });
    await session.setSessionName("n");
    await session.close();

    expect(readFileSync(path, "utf8").split("\n")[0]).toBe(title);
    expect(session.getEntries()).toHaveLength(2);
  });
});

// Verifies: SSOT 3.11, decision 107: a bundle carries the file that its session came from, whole or marked, and no other.
import {
  createMemoryStore,
  journalId,
  journalPartId,
  type ObjectStore,
  sealDocument,
  sessionObjectId,
  sha256,
} from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { bundleOf, opening } from "./support/bytes.ts";
import { type AnyLine, counted, linesIn } from "./support/lines.ts";
import { attempt, counting } from "./support/refusal.ts";
import { sample } from "./support/sample.ts";

const part = (session: string, n: number, content = `[{"id":"e${n}"}]`) =>
  sealDocument(
    { type: "journal_part", id: journalPartId(session, n) },
    { content, session_ref: sessionObjectId(session), n, entry_count: 1 },
  );
const journal = (session: string, parts: number) =>
  sealDocument(
    { type: "journal", id: journalId(session) },
    {
      ...{ content: "{}", session_ref: sessionObjectId(session), agent: "pi", entry_count: parts, part_count: parts },
      ...{ source_sum: sha256("file"), next_step: 4, head: null },
    },
  );

async function withFile(): Promise<{ readonly store: ObjectStore; readonly session: string }> {
  const { store, session } = await sample();
  const documents = [part(session, 0), part(session, 1), journal(session, 2)];
  await store.commit(documents.map((document) => ({ document, expect: "absent" as const })));
  return { store, session };
}

async function fileIn(store: ObjectStore, session: string): Promise<readonly unknown[]> {
  const ids = [journalPartId(session, 0), journalPartId(session, 1), journalId(session)];
  const found = await store.getMany(ids);
  return ids.map((id) => found.get(id)?.document);
}

const isOf = (type: string) => (line: AnyLine) => line.document?.type === type;
const asLine = (document: object): AnyLine => ({ at: 1, document: { ...document }, kind: "version" });

describe("a session that came from a file", () => {
  it("brings its entries, and again only what is new", async () => {
    const { store, session } = await withFile();
    const target = createMemoryStore();

    const first = await attempt(target, opening(await bundleOf(store, session)));

    expect(first.said).toBe("imported");
    expect(await fileIn(target, session)).toEqual(await fileIn(store, session));
    expect((await attempt(target, opening(await bundleOf(store, session)))).said).toBe("unchanged");
  });

  it("brings a mark in place of an erased part", async () => {
    const { store, session } = await withFile();
    await store.erase([journalPartId(session, 0)], "asked for");
    const target = createMemoryStore();

    const bytes = await bundleOf(store, session);

    expect((await attempt(target, opening(bytes))).said).toBe("imported");
    expect(linesIn(bytes).filter(({ kind }) => kind === "erased")).toMatchObject([{ of: "journal_part" }]);
    expect(await fileIn(target, session)).toEqual([undefined, part(session, 1), journal(session, 2)]);
  });

  it.each([
    ["a part is missing", (lines: AnyLine[]) => without(lines, lines.findIndex(isOf("journal_part"))), "misplaced"],
    [
      "the last part is missing",
      (lines: AnyLine[]) => without(lines, lines.findLastIndex(isOf("journal_part"))),
      "missing-reference",
    ],
    ["nothing counts the parts", (lines: AnyLine[]) => without(lines, lines.findIndex(isOf("journal"))), "foreign"],
    ["it is there twice", (lines: AnyLine[]) => before(lines, "chat", ...lines.filter(isOf("journal"))), "duplicate"],
    [
      "a part is another session's",
      (lines: AnyLine[]) => before(lines, "journal_part", asLine(part("other", 0))),
      "foreign",
    ],
    ["it is another session's", (lines: AnyLine[]) => before(lines, "chat", asLine(journal("other", 0))), "foreign"],
    ["a part stands behind it", (lines: AnyLine[]) => before(lines, "chat", asLine(part("s", 2))), "misplaced"],
  ])("is refused where %s, and nothing is written", async (_what, change, code) => {
    const { store, session } = await withFile();
    const target = counting(createMemoryStore());

    const bytes = counted(change(linesIn(await bundleOf(store, session))));

    expect((await attempt(target.store, opening(bytes))).said).toBe(`bundle/${code}`);
    expect(target.commits()).toBe(0);
  });
});

const without = (lines: readonly AnyLine[], at: number): AnyLine[] => lines.filter((_, place) => place !== at);

function before(lines: readonly AnyLine[], type: string, ...added: readonly AnyLine[]): AnyLine[] {
  const at = lines.findIndex(isOf(type));
  return [...lines.slice(0, at), ...added, ...lines.slice(at)];
}

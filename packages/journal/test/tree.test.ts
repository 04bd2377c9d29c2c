import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { activePath, readJournal } from "../src/index.ts";
import { bytesOf, entry, header, idsOf, jsonl, kindsOf, user } from "./session-text.ts";

const branched = jsonl(
  header,
  user("a", null, "one"),
  user("b", "a", "two"),
  user("c", "a", "two again"),
  user("d", "c", "three"),
  user("e", null, "a second root"),
);

describe("the tree", () => {
  it("has its path from the root to the last entry", async () => {
    const journal = await readJournal(bytesOf(branched));

    expect(idsOf(activePath(journal))).toEqual(["e"]);
  });

  it("has its path to any entry that is asked for", async () => {
    const journal = await readJournal(bytesOf(branched));

    expect(idsOf(activePath(journal, "d"))).toEqual(["a", "c", "d"]);
    expect(idsOf(activePath(journal, "b"))).toEqual(["a", "b"]);
    expect(activePath(journal, null)).toEqual([]);
  });

  it("falls back to the last entry for an unknown leaf, also one named like a member of every object", async () => {
    const journal = await readJournal(bytesOf(branched));

    for (const leafId of ["x", "__proto__", "constructor", ""])
      expect(idsOf(activePath(journal, leafId))).toEqual(["e"]);
  });

  it("of a file without entries is empty", async () => {
    const journal = await readJournal(bytesOf(jsonl(header)));

    expect(activePath(journal)).toEqual([]);
  });

  it("begins a path below a missing parent and reports it", async () => {
    const journal = await readJournal(bytesOf(jsonl(header, user("b", "lost", "two"), user("c", "b", "three"))));

    expect(idsOf(activePath(journal))).toEqual(["b", "c"]);
    expect(kindsOf(journal)).toEqual(["missing-parent:2"]);
  });

  it("ends a path in a cycle and reports it once", async () => {
    const text = jsonl(header, user("a", "b", "1"), user("b", "a", "2"), user("c", "c", "3"), user("d", "b", "4"));

    const journal = await readJournal(bytesOf(text));

    expect(idsOf(activePath(journal))).toEqual(["a", "b", "d"]);
    expect(idsOf(activePath(journal, "c"))).toEqual(["c"]);
    expect(kindsOf(journal)).toEqual(["cycle:2", "cycle:4"]);
  });

  it("continues the later of two entries with one id and reports it", async () => {
    const text = jsonl(header, user("a", null, "1"), user("a", null, "2"), user("b", "a", "3"));

    const journal = await readJournal(bytesOf(text));

    expect(activePath(journal)[0]).toBe(journal.entries[1]);
    expect(journal.entries).toHaveLength(3);
    expect(kindsOf(journal)).toEqual(["duplicate-id:3"]);
  });

  it("gives entries without an id a unique one", async () => {
    const text = jsonl(header, user("line-3", null, "1"), { type: "custom", customType: "x" }, user("", "line-3", "3"));

    const journal = await readJournal(bytesOf(text));

    expect(idsOf(journal.entries)).toEqual(["line-3", "line-3'", "line-4"]);
    expect(kindsOf(journal)).toEqual(["missing-id:3", "missing-id:4"]);
  });

  it("leaves a second header out and reports it", async () => {
    const journal = await readJournal(bytesOf(jsonl(header, user("a", null, "1"), header, user("b", "a", "2"))));

    expect(idsOf(activePath(journal))).toEqual(["a", "b"]);
    expect(kindsOf(journal)).toEqual(["header-again:3"]);
  });

  it("remembers a bounded number of problems", async () => {
    const orphans = Array.from({ length: 500 }, (_, index) => user(`o${index}`, "lost", "x"));

    const journal = await readJournal(bytesOf(jsonl(header, ...orphans), 10_000));

    expect(journal.problems.count).toBe(500);
    expect(journal.problems.first).toHaveLength(100);
  });

  it("of 100,000 entries in one chain is walked without recursion", async () => {
    const chain = Array.from({ length: 100_000 }, (_, index) =>
      entry(`e${index}`, index === 0 ? null : `e${index - 1}`, { type: "custom", customType: "x" }),
    );

    const journal = await readJournal(bytesOf(jsonl(header, ...chain), 65_536));

    expect(activePath(journal)).toHaveLength(100_000);
  });

  it("has, for random trees and any leaf, the path that the parents spell", async () => {
    const id = fc.oneof(
      fc.constantFrom("__proto__", "constructor", "root", "toString"),
      fc.string({ minLength: 1, maxLength: 6 }),
    );
    const tree = fc.uniqueArray(fc.tuple(id, fc.nat()), { selector: ([name]) => name, minLength: 1, maxLength: 40 });

    await fc.assert(
      fc.asyncProperty(tree, fc.nat(), async (nodes, pick) => {
        const parents = nodes.map(([, choice], index) => nodes[(choice % (index + 1)) - 1]?.[0] ?? null);
        const lines = nodes.map(([name], index) => user(name, parents[index] ?? null, name));
        const leaf = pick % nodes.length;
        const expected: string[] = [];
        for (let at = leaf; at >= 0; at = nodes.findIndex(([name]) => name === parents[at])) {
          expected.unshift(nodes[at]?.[0] ?? "");
          if (parents[at] === null) break;
        }

        const journal = await readJournal(bytesOf(jsonl(header, ...lines), 50));

        expect(journal.problems.count).toBe(0);
        expect(idsOf(activePath(journal, nodes[leaf]?.[0]))).toEqual(expected);
      }),
    );
  });
});

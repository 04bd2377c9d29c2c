// Verifies: SSOT 3.8, decision 0097: what left the prompt is kept in rows of tens of bytes, and reads as it was.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import type { LogEntry, OmittedEntry, ViewObject } from "../src/index.ts";
import { NumberColumn } from "../src/index.ts";
import { PlaceTable } from "../src/keyframe/place-table.ts";
import { runsOf } from "../src/keyframe/runs.ts";
import { Aliases } from "../src/objects/aliases.ts";
import { ObjectTable } from "../src/objects/object-table.ts";
import { Successions } from "../src/objects/successions.ts";
import { StepPath } from "../src/path/step-path.ts";
import { IdSet } from "../src/sets/id-set.ts";
import { IdTable } from "../src/sets/id-table.ts";
import { OmittedRows } from "../src/state/omitted-rows.ts";
import { frozenCopy, inStore, plainEntry } from "../src/state.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const calls = 10_000;
/** Of a call: its id, name, place in the index, object, and the entries of its answer and its result. */
const bytesPerCallMax = 230;

const call = (id: string, number: number, tool = "bash"): ViewObject =>
  inStore({ id, alias: `t${number}`, tool, status: number % 3 === 0 ? "fail" : "ok" });
const idOf = (number: number): string => `toolu_${String(number).padStart(24, "0")}`;
const answer = (at: number, step: number): OmittedEntry => ({
  ...{ kind: "omitted", was: "assistant", at, step, turn: 3, chars: 41 },
});
const result = (at: number, step: number, callId: string, object = callId): OmittedEntry => ({
  ...{ kind: "omitted", was: "result", at, step, turn: 3, chars: 400, callId, tool: "bash", object },
});

describe("calls that left the prompt", () => {
  it("take so many bytes of memory each", async () => {
    // Compiles what keeps them.
    keptCalls();
    const before = await heldBytes();
    const kept = keptCalls();
    const bytes = ((await heldBytes()) - before) / calls;

    expect(kept.objects.size).toBe(calls);
    expect(kept.index.size).toBe(calls);
    expect(bytes).toBeGreaterThan(50);
    expect(bytes).toBeLessThan(bytesPerCallMax);
    expect(plainEntry(kept.log[2 * 77 + 1] as LogEntry)).toEqual(result(2 * 77 + 1, 77, idOf(77)));
    expect(kept.objects.get(idOf(77))).toEqual(call(idOf(77), 78));
    expect(kept.aliases.resolve("t78")).toBe(idOf(77));
  });
});

/** As a session has them. */
function keptCalls() {
  const ids = new IdTable();
  const kept = {
    objects: new ObjectTable(ids),
    index: new IdSet(ids),
    aliases: new Aliases(new Successions(), ids),
    log: [] as LogEntry[],
  };
  const rows = new OmittedRows(ids);
  for (let number = 0; number < calls; number += 1) {
    const id = idOf(number);
    kept.aliases.give(id, "toolcall");
    kept.objects.set(id, call(id, number + 1));
    kept.index.add(id);
    kept.log.push(rows.keep(answer(2 * number, number)), rows.keep(result(2 * number + 1, number, id)));
  }
  return kept;
}

async function heldBytes(): Promise<number> {
  // What a weak reference led to in the running task outlives a collection within it, and what holds buffers goes first.
  for (let round = 0; round < 3; round += 1) {
    await new Promise(setImmediate);
    collect();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

describe("a table of ids", () => {
  it("gives each id one number, whatever its characters are", () => {
    const ids = new IdTable();
    const given = [
      "",
      "a",
      "é",
      "日本",
      "日",
      "\u0000",
      "call_1",
      "call_10",
      ...Array.from({ length: 999 }, (_, n) => `${n}`),
    ];

    const numbers = given.map((id) => ids.give(id));

    expect(numbers).toEqual(given.map((_, number) => number));
    expect(given.map((id) => ids.numberOf(id))).toEqual(numbers);
    expect(given.map((id) => ids.give(id))).toEqual(numbers);
    expect(numbers.map((number) => ids.id(number))).toEqual(given);
    expect(["b", "日本語", "call_", undefined as never].map((id) => ids.numberOf(id))).toEqual([-1, -1, -1, -1]);
    expect(() => ids.id(given.length)).toThrow(RangeError);
  });
});

describe("a set of ids", () => {
  it("does what a set does, in order of entry, and its copy goes on by itself", () => {
    const set = new IdSet(new IdTable());
    const same = new Set<string>();
    for (const id of ["b", "a", "c", "a", "b", "d"]) expect(set.add(id)).toBe(set.has(same.add(id) && id) && set);
    const copy = set.copy().add("e");

    expect([set.delete("a"), set.delete("a"), set.delete("x")]).toEqual([true, false, false]);
    same.delete("a");
    expect([[...set], set.size, set.has("a"), set.has("c")]).toEqual([[...same], same.size, false, true]);
    expect([...set.add("a").entries()]).toEqual([...same.add("a").entries()]);
    expect([...copy]).toEqual(["b", "a", "c", "d", "e"]);
    set.clear();
    expect([[...set], set.size, set.has("b")]).toEqual([[], 0, false]);
  });
});

describe("a table of objects", () => {
  it("gives back what was put in, in order of entry, in a row or as it is", () => {
    const table = new ObjectTable(new IdTable());
    const file: ViewObject = { id: "f", alias: "f1", kind: "file", path: "a", text: "one" };
    const whole: ViewObject = { id: "c", alias: "t1", kind: "toolcall", tool: "bash", status: "ok", text: "said" };
    const odd: ViewObject = { ...call("d", 2), redactions: 2 };
    for (const object of [file, whole, odd, call("e", 3)]) table.set(object.id, object);

    table.set("c", call("c", 1)).set("é", call("é", 4));
    const copy = table.copy().set("c", whole);

    expect([...table]).toEqual([
      ["f", file],
      ["c", call("c", 1)],
      ["d", odd],
      ["e", call("e", 3)],
      ["é", call("é", 4)],
    ]);
    expect(table.get("f")).toBe(file);
    expect([table.has("e"), table.has("x"), table.get("x"), table.size]).toEqual([true, false, undefined, 5]);
    expect([...copy.values()].map(({ text }) => text)).toEqual(["one", "said", null, null, null]);
    expect(() => table.delete()).toThrow(TypeError);
  });

  it("takes a row without its object where the row says all of it", () => {
    const [table, same] = [new ObjectTable(new IdTable()), new ObjectTable(new IdTable())];
    const text: ViewObject = { id: "a", alias: "t1", kind: "toolcall", tool: "bash", status: "ok", text: "said" };
    for (const one of [table, same]) one.set("a", text);
    for (const id of ["a", "b"]) same.set(id, call(id, 7));

    const put = ["a", "b"].map((id) => table.setInStore(id, { alias: "t7", tool: "bash", status: "ok" }));
    const odd = [
      { alias: "f7", tool: "bash", status: "ok" },
      { alias: "t7", tool: "bash", status: "" },
      { alias: "t7", tool: undefined as never, status: "ok" },
    ].map((row) => table.setInStore("c", row));

    expect([put, odd]).toEqual([
      [true, true],
      [false, false, false],
    ]);
    expect([...table]).toEqual([...same]);
  });
});

describe("a table of places", () => {
  it("has its members in their order, however they came, and its copy goes on by itself", () => {
    const table = new PlaceTable(10);
    for (const place of [4, 5, 2, 9, 0]) table.set(place, `of ${place}`);
    const copy = new PlaceTable(10, table);

    table.delete(5);
    table.delete(7);
    table.set(4, "again");

    const expected: [number, string][] = [
      [0, "of 0"],
      [2, "of 2"],
      [4, "again"],
      [9, "of 9"],
    ];
    expect([...table]).toEqual(expected);
    expect([[...table.keys()], table.runs, table.size]).toEqual([[0, 2, 4, 9], runsOf([0, 2, 4, 9]), 4]);
    expect([table.has(5), table.get(5), table.get("4x"), table.get(4)]).toEqual([false, undefined, undefined, "again"]);
    expect([[...copy.keys()], copy.size, copy.get(4)]).toEqual([[0, 2, 4, 5, 9], 5, "of 4"]);
    expect([...new PlaceTable(10, new Map(expected.toReversed()))]).toEqual(expected);
  });

  it("refuses what is no place of its state", () => {
    const table = new PlaceTable(10);

    for (const place of [10, -1, Number.NaN, 1e12, "a"]) expect(() => table.set(place, 1)).toThrow(TypeError);
    expect(() => new PlaceTable(undefined as never).set(0, 1)).toThrow(TypeError);
    expect(table.size).toBe(0);
  });
});

describe("a path of steps", () => {
  it("keeps the hash of each as it was written", () => {
    const path = new StepPath();
    const sha256 = "0123456789abcdef".repeat(4);
    const hashes = [sha256, sha256.toUpperCase(), `${sha256.slice(1)}g`, "", sha256.slice(2), sha256];
    for (const [n, contentHash] of hashes.entries())
      path.push({ address: { session: "s", n }, contentHash, end: n, turn: 0, answered: true, isErased: false });

    expect([...path].map(({ contentHash }) => contentHash)).toEqual(hashes);
    expect([...path.copy()]).toEqual([...path]);
  });
});

describe("an entry in a row", () => {
  const ids = new IdTable();
  const entries = [
    answer(0, 0),
    result(1, 1, "c"),
    result(2, 2, "call", "object"),
    { ...answer(3, 3), was: "note" as const },
  ];

  it("reads as it was, also where the id of a call is not that of its object", () => {
    const rows = new OmittedRows(ids);
    const kept = entries.map((entry) => rows.keep(entry));

    for (const [place, entry] of entries.entries()) {
      const { kind, was, at, step, turn, chars, callId, tool, object } = kept[place] as OmittedEntry;
      expect({ kind, was, at, step, turn, chars, callId, tool, object }).toEqual(entry);
      expect(JSON.parse(JSON.stringify(kept[place]))).toEqual(entry);
      expect(rows.keep(kept[place] as OmittedEntry)).toBe(kept[place]);
    }
  });

  it("is plain data in a frozen copy", () => {
    const rows = new OmittedRows(ids);
    const table = new ObjectTable(ids).set("c", call("c", 1));

    const copy = frozenCopy({
      log: entries.map((entry) => rows.keep(entry)),
      objects: table,
      index: new IdSet(ids).add("c"),
    });

    expect(structuredClone([...copy.log])).toEqual(entries);
    expect(copy.log.every((entry) => Object.isFrozen(entry))).toBe(true);
    expect(copy.objects).toEqual(new Map([["c", call("c", 1)]]));
    expect(copy.index).toEqual(new Set(["c"]));
  });
});

describe("a column of numbers", () => {
  it("grows, gives 0 for what it does not have, and closes a gap", () => {
    const column = new NumberColumn(new Uint32Array());
    for (const number of [5, 6, 7]) column.push(number);
    column.set(9, 1);
    const copy = column.copy();
    column.remove(1);

    expect(Array.from({ length: 12 }, (_, place) => column.at(place - 1))).toEqual([
      0, 5, 7, 0, 0, 0, 0, 0, 0, 1, 0, 0,
    ]);
    expect([column.length, copy.length, copy.at(1)]).toEqual([9, 10, 6]);
  });
});

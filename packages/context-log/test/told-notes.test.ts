import { describe, expect, it } from "vitest";
import { isNote, isTold, type LogEntry } from "../src/index.ts";
import { toldAgain, toldEntries } from "../src/state.ts";
import { flatTold, toldFault } from "../src/told-notes.ts";

const place = { at: 7, step: 3, turn: 1 };
const told = { release: ["a", "b"] };

describe("what a decision tells", () => {
  it("is one note for each kind, from its place on", () => {
    const notes = toldEntries(told, { ...place, into: 5 });

    expect(notes).toEqual([{ kind: "released", ...place, into: 5, objects: ["a", "b"] }]);
    expect(notes.every((note: LogEntry) => isTold(note) && isNote(note))).toBe(true);
    expect(toldEntries({ release: [] }, { ...place, into: 5 })).toEqual([]);
  });

  it("is made again of its place and the decision, and of nothing else that a keyframe says", () => {
    const [note] = toldEntries(told, { ...place, into: 5 });
    if (note === undefined) throw new Error("The decision tells nothing.");

    expect(flatTold(note)).toEqual([5]);
    expect(toldAgain([5], told, place)).toEqual(note);
    expect(toldAgain([5], {}, place)).toBeUndefined();
    expect(toldAgain([5, "later"], told, place)).toBeUndefined();
  });

  it("names only what it may", () => {
    expect(toldFault(told, new Set(["a", "b"]))).toBeUndefined();
    expect(toldFault(told, new Set(["a"]))).toBe("a pin that is not there");
    expect(toldFault({}, new Set())).toBeUndefined();
  });
});

// Verifies: a request has what others put in where it stood, and nothing of what they took out, with its pairs legal.
import { describe, expect, it } from "vitest";
import { applyExtensionChanges } from "../../src/others/apply-extension-changes.ts";
import type { ExtensionChanges } from "../../src/others/extension-changes.ts";
import { answerMessage, call, itemsIn, resultMessage, text, userMessage } from "../support/items.ts";

const branch = [
  userMessage("go", 1),
  answerMessage([call("c1"), call("c2")]),
  resultMessage("c1", "one"),
  resultMessage("c2", "two"),
  answerMessage([text("done")]),
];
const items = itemsIn(branch);
const made = branch.map((message, item) => ({ message, item }));
const note = (words: string) => userMessage(words, 99);

function put(work: Partial<ExtensionChanges>) {
  return applyExtensionChanges(made, items, { changed: new Map(), inserted: [], ...work });
}

describe("a request", () => {
  it("is what it is where others did nothing", () => {
    expect(put({})).toEqual(branch);
  });

  it("has none of what they took out, nor results without their call", () => {
    expect(put({ changed: new Map([["e0", null]]) })).toEqual(branch.slice(1));
    expect(put({ changed: new Map([["e2", null]]) })).toEqual(branch.toSpliced(2, 1));
    expect(put({ changed: new Map([["e1", null]]) })).toEqual([branch[0], branch[4]]);
  });

  it("has no result of a call that they took out of its answer", () => {
    const shorter = made.with(1, { message: answerMessage([call("c2")]), item: 1 });

    const sent = applyExtensionChanges(shorter, items, {
      changed: new Map([["e1", answerMessage([call("c2")])]]),
      inserted: [],
    });

    expect(sent).toEqual([branch[0], answerMessage([call("c2")]), branch[3], branch[4]]);
  });

  it("has what they put in where it stood, but never between a call and its results", () => {
    const at = (after: number) => put({ inserted: [{ after, message: note("n") }] }).indexOf(put({})[0] ?? note(""));

    expect(at(-1)).toBe(1);
    for (const [after, place] of [
      [0, 1],
      [1, 4],
      [2, 4],
      [3, 4],
      [4, 5],
    ] as const) {
      expect(put({ inserted: [{ after, message: note("n") }] })).toEqual(branch.toSpliced(place, 0, note("n")));
    }
  });
});

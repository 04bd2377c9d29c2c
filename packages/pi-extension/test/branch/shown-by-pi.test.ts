// Verifies: what Pi does not show after a compaction of ours is not taken for something that others took out.
import { expect, it } from "vitest";
import { branchItems, ownDetails } from "../../src/branch/branch-items.ts";
import { PiVisibility } from "../../src/branch/pi-visibility.ts";
import { entriesOf, entry, userMessage } from "../support/items.ts";

const said = (words: string) => entry(userMessage(words));
const compaction = (firstKeptEntryId: string, details?: object) => ({
  ...({ type: "compaction" } as const),
  ...{ summary: "s", tokensBefore: 1, firstKeptEntryId },
  ...(details === undefined ? {} : { details }),
});

function shownOf(entries: ReturnType<typeof entriesOf>): readonly string[] {
  const items = branchItems(entries);
  const shows = new PiVisibility().of(entries, items);
  return items.filter((item, place) => shows(item, place)).map((item) => item.entry);
}

it("is all of it without a compaction, and behind one of another extension", () => {
  expect(shownOf(entriesOf([said("a"), said("b")]))).toEqual(["e0", "e1"]);
  expect(shownOf(entriesOf([said("a"), said("b"), compaction("e1"), said("c")]))).toEqual(["e2", "e1", "e3"]);
});

it("is what ours keeps, without what we say of it", () => {
  const details = { ...ownDetails, instructions: "mind the tests" };

  expect(shownOf(entriesOf([said("a"), said("b"), compaction("e1", details), said("c")]))).toEqual(["e1", "e3"]);
  expect(shownOf(entriesOf([said("a"), compaction("gone", details), said("c")]))).toEqual(["e2"]);
});

it("is neither the summary of an earlier compaction nor what ours took of what that one kept", () => {
  const entries = entriesOf([said("a"), said("b"), compaction("e0"), compaction("e1", ownDetails), said("c")]);

  expect(shownOf(entries)).toEqual(["e1", "e4"]);
});

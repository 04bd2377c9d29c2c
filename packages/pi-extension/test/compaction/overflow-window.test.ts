// Verifies: SSOT 4.4 (10): what a provider refused as too large is followed by less.
import { expect, it } from "vitest";
import {
  afterOverflow,
  type OverflowEvent,
  type OverflowWindow,
  overflowBytesMax,
} from "../../src/compaction/overflow-window.ts";

const refused = (sentBytes: number, model = "m"): OverflowEvent => ({ kind: "refused", model, sentBytes });
const succeeded = (model = "m"): OverflowEvent => ({ kind: "succeeded", model });

it.each([
  ["nothing was refused", [], undefined],
  ["a prompt was refused", [refused(100_000)], 60_000],
  ["the smaller one was refused, too", [refused(100_000), refused(60_000)], 36_000],
  ["it was sent again as it was", [refused(100_000), refused(100_000)], 60_000],
  ["the smaller one was taken", [refused(100_000), succeeded()], 90_000],
  ["it grew and was refused once more", [refused(100_000), succeeded(), refused(90_000)], 54_000],
  ["only requests succeeded", [succeeded()], undefined],
  ["another model refused", [refused(100_000, "other")], undefined],
  ["another model came between", [refused(100_000), succeeded("other")], undefined],
  ["it is unknown what was sent", [refused(Number.NaN), refused(0)], undefined],
  ["hardly anything was sent", [refused(100)], 4_096],
] as const)("where %s", (_, events: readonly OverflowEvent[], bytesMax) => {
  const state = events.reduce<OverflowWindow | undefined>(afterOverflow, undefined);

  expect(overflowBytesMax(state, "m")).toBe(bytesMax);
});

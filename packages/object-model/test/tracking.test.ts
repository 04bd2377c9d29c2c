// Verifies: SSOT 5.9
import { expect, it } from "vitest";
import { type TrackingState, watchedState } from "../src/index.ts";

it.each<[TrackingState, TrackingState]>([
  ["unchecked", "attached"],
  ["attached", "attached"],
  ["orphaned", "resumed"],
  ["resumed", "resumed"],
])("what was %s and is watched from now on is %s", (before, after) => {
  expect(watchedState(before)).toBe(after);
});

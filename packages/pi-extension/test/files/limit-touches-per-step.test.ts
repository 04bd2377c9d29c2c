import type { FileTouch } from "@cm/context-log";
import { expect, it } from "vitest";
import { limitTouchesPerStep } from "../../src/files/limit-touches-per-step.ts";

const touches = (count: number): readonly FileTouch[] =>
  Array.from({ length: count }, (_, n) => ({
    binding: { type: "filesystem", filesystemId: "here", path: `/${n}` },
    as: "discovered",
  }));

it("a step of many listings keeps what its short results touched, and 5,000 files in all", () => {
  const results = [...Array.from({ length: 8 }, () => touches(1_000)), touches(1), touches(0), touches(3)];

  const kept = limitTouchesPerStep(results).map(({ length }) => length);

  expect(kept.slice(8)).toEqual([1, 0, 3]);
  expect(kept.reduce((sum, length) => sum + length, 0)).toBe(5_000);
});

it("a step of few files is left as it is", () => {
  const results = [touches(1_000), touches(2)];

  expect(limitTouchesPerStep(results)).toEqual(results);
});

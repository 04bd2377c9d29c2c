import type { PartLife } from "@cm/replay";
import { forSeeds } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { limits } from "../../../src/report/limits.ts";
import { bandsMaxFor, bandsOf } from "../../../src/report/map/bands.ts";

const part = (at: number, chars: number): PartLife => ({
  ...{ key: `${at}`, kind: "result", chars },
  forms: [{ call: at, form: "full", chars }],
});

describe("the bands of a map", () => {
  it("hold every part once and in order, fill the height, and are no more than asked for", async () => {
    await forSeeds({ short: 40, long: 4_000, file: "apps/experiments/test/report/map/bands.test.ts" }, (random) => {
      const parts = random
        .some(600, () => (random.chance(0.1) ? random.below(50_000) : random.below(400)))
        .map((chars, at) => part(at, chars));
      const max = 1 + random.below(150);

      const bands = bandsOf(parts, max);

      const ends = bands.map(({ top, height }) => top + height);
      expect(bands.flatMap((band) => band.parts)).toEqual(parts);
      expect(bands.length).toBeLessThanOrEqual(max);
      expect(bands.filter(({ top, height }, at) => height <= 0 || Math.abs(top - (ends[at - 1] ?? 0)) > 1e-9)).toEqual(
        [],
      );
      if (parts.length > 0) expect(ends.at(-1)).toBeCloseTo(1, 9);
    });
  });

  it("give a long part one of its own among many short ones, and no more room than others can spare", () => {
    const parts = Array.from({ length: 1_000 }, (_, at) => part(at, at === 500 ? 900_000 : 100));

    const bands = bandsOf(parts, 50);

    const long = bands.find((band) => band.chars >= 900_000);
    expect(long?.parts.map(({ key }) => key)).toEqual(["500"]);
    expect(long?.height).toBeLessThan(0.6);
  });

  it("are fewer in each map where a page has many maps", () => {
    const counts = [0, 1, 43, 100, 10_000].map(bandsMaxFor);

    expect(counts).toEqual([140, 140, 139, 60, 24]);
    expect(limits.pageBandsMax).toBe(6_000);
  });
});

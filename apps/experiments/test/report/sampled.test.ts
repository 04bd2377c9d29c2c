import { describe, expect, it } from "vitest";
import { largest, last, sampled } from "../../src/report/plots/bins.ts";

const items = [3, 9, 1, 4, 4, 2, 8];

describe("a sample of points", () => {
  it("is everything while it fits", () => {
    expect(sampled(items, 7, last)).toEqual({ items, size: 1 });
    expect(sampled([], 7, last)).toEqual({ items: [], size: 1 });
  });

  it("takes the largest of each run, so that no peak is lost", () => {
    expect(
      sampled(
        items,
        3,
        largest((item) => item),
      ),
    ).toEqual({ items: [9, 4, 8], size: 3 });
  });

  it("takes the last of each run, so that the end stays", () => {
    expect(sampled(items, 3, last)).toEqual({ items: [1, 2, 8], size: 3 });
  });
});

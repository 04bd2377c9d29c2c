import { describe, expect, it } from "vitest";
import { croppedAbove } from "../../src/report/plots/crop.ts";
import { plainInk } from "../../src/report/plots/palette.ts";

const line = (policy: string, ...ys: number[]) => ({
  policy,
  ink: plainInk,
  points: ys.map((y, at) => ({ x: at + 1, y })),
});

describe("lines far above the others", () => {
  it("end where they pass the limit", () => {
    const cropped = croppedAbove({ lines: [line("dear", 0, 10, 40), line("plain", 1, 5, 10)], binSize: 1 }, "plain", 2);

    expect(cropped.yMax).toBe(20);
    expect(cropped.lines[0]?.points).toEqual([
      { x: 1, y: 0 },
      { x: 2, y: 10 },
      { x: 2 + 1 / 3, y: 20 },
    ]);
    expect(cropped.lines[1]?.points).toHaveLength(3);
    expect(cropped.leaving).toEqual([{ policy: "dear", call: 3, end: 40 }]);
  });

  it("stay whole where none passes it", () => {
    const lines = { lines: [line("dear", 0, 19), line("plain", 1, 10)], binSize: 1 };

    expect(croppedAbove(lines, "plain", 2)).toEqual({ ...lines, yMax: undefined, leaving: [] });
  });
});

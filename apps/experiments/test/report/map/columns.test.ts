import type { PartLife } from "@cm/replay";
import { forSeeds } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { columnsFor, stretchesOf } from "../../../src/report/map/columns.ts";

const forms = ["full", "sparse", "diff", "reference", "gone", "something new"] as const;
const shades = { full: "output", sparse: "sparse", diff: "diff", reference: "reference", gone: "gone" } as const;
const band = (parts: readonly PartLife[]) => ({ parts, chars: 0, top: 0, height: 1 });
const result = (chars: number, stands: readonly (readonly [number, string])[]): PartLife => ({
  ...{ key: "1", kind: "result", chars },
  forms: stands.map(([call, form]) => ({ call, form, chars })),
});

describe("the stretches of a band", () => {
  it("say at every call what a look through the part's life says", async () => {
    await forSeeds({ short: 60, long: 6_000, file: "apps/experiments/test/report/map/columns.test.ts" }, (random) => {
      const calls = 1 + random.below(80);
      const turns = [...new Set([random.below(calls), ...random.some(6, () => random.below(calls))])].sort(
        (a, b) => a - b,
      );
      const stands = turns.map((call) => [call, random.pick(forms)] as const);
      const expected = Array.from({ length: calls }, (_, call) => {
        let form: (typeof forms)[number] | undefined;
        for (const [at, stand] of stands) if (at <= call) form = stand;
        return form === undefined ? undefined : form === "something new" ? "other" : shades[form];
      });

      const stretches = stretchesOf(band([result(500, stands)]), columnsFor(calls, 300));

      const drawn = expected.map((_, call) => stretches.find(({ from, to }) => from <= call && call < to)?.shade);
      expect(drawn).toEqual(expected);
    });
  });

  it("have the shade of most characters where parts share a band", () => {
    const parts = [
      result(900, [
        [0, "full"],
        [5, "reference"],
      ]),
      result(400, [[2, "sparse"]]),
      result(300, [[3, "sparse"]]),
    ];

    const stretches = stretchesOf(band(parts), columnsFor(8, 300));

    expect(stretches).toEqual([
      { shade: "output", from: 0, to: 5 },
      { shade: "reference", from: 5, to: 8 },
    ]);
  });

  it("show the last call of a column of several", () => {
    const columns = columnsFor(2_000, 300);

    const stretches = stretchesOf(
      band([
        result(10, [
          [0, "full"],
          [6, "reference"],
        ]),
      ]),
      columns,
    );

    expect(columns).toEqual({ count: 286, calls: 7 });
    expect(stretches).toEqual([{ shade: "reference", from: 0, to: 286 }]);
  });
});

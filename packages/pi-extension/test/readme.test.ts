// Verifies: the README's limits are those of the code, each with its value, and no others.
import { readFileSync } from "node:fs";
import { contextToolLimits } from "@cm/context-tool";
import { describe, expect, it } from "vitest";
import { commandLimits } from "../src/command/command-limits.ts";
import { compactionLimits } from "../src/compaction/limits.ts";
import { figureLimits } from "../src/figures/limits.ts";
import { fileTouchLimits } from "../src/files/file-limits.ts";
import { limits } from "../src/limits.ts";
import { protectLimits } from "../src/protect/protect-limits.ts";
import { providerLimits } from "../src/provider/limits.ts";
import { settingLimits } from "../src/settings/setting-limits.ts";
import { statusLimits } from "../src/status/status-limits.ts";

const groups = {
  ...{
    limits,
    compactionLimits,
    providerLimits,
    fileTouchLimits,
    settingLimits,
    contextToolLimits,
    commandLimits,
    protectLimits,
  },
  ...{ figureLimits, statusLimits },
};
const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

interface Row {
  readonly group: string;
  readonly names: readonly string[];
  readonly values: readonly number[];
}

/** A row names one limit or several of a group, and says their values. */
const rows: readonly Row[] = [...readme.matchAll(/^\| `(\w+)\.(\w+)`(.*?) \| (.*) \|$/gm)].map(
  ([, group = "", first = "", others = "", text = ""]) => ({
    group,
    names: [first, ...[...others.matchAll(/`(?:\w+\.)?(\w+)`/g)].map(([, name = ""]) => name)],
    values: [...text.matchAll(/\d[\d,]*(?:\.\d+)?/g)].map(([value]) => Number(value.replaceAll(",", ""))),
  }),
);

describe("the README", () => {
  it.each(Object.entries(groups))("names every one of %s and no other", (name, group) => {
    const named = rows.filter((row) => row.group === name).flatMap(({ names }) => names);

    expect(named.toSorted()).toEqual(Object.keys(group).toSorted());
  });

  it("says their values", () => {
    const values = new Map(
      Object.entries(groups).flatMap(([group, limitsOf]) =>
        Object.entries(limitsOf).map(([name, value]) => [`${group}.${name}`, value] as const),
      ),
    );
    const wrong = rows
      .map(({ group, names, values: stated }) => ({
        names,
        wanted: names.map((name) => values.get(`${group}.${name}`)),
        stated,
      }))
      .filter(({ wanted, stated }) => !wanted.every((value) => value !== undefined && stated.includes(value)));

    expect(wrong).toEqual([]);
  });
});

// Verifies: the README states the limits and codes that the code has.
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { fault, httpStatusOf, type LineageErrorCode, lineageLimits } from "../src/index.ts";

const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");

describe("the README", () => {
  it("states the limits that the code has", () => {
    const stated = [...readme.matchAll(/^\| `lineageLimits\.(\w+)` \| ([\d,]+) /gm)].map(([, name, value]) => [
      name,
      Number(value?.replaceAll(",", "")),
    ]);

    expect(Object.fromEntries(stated)).toEqual(lineageLimits);
  });

  it("states the HTTP status of each code", () => {
    const rows = [...readme.matchAll(/^\| (`lineage\/[^|]+) \| (\d{3}) \|/gm)];
    const stated = rows.flatMap(([, codes = "", status]) =>
      [...codes.matchAll(/`(lineage\/[\w-]+)`/g)].map(([, code]) => [code, Number(status)] as const),
    );

    expect(stated).toHaveLength(16);
    for (const [code, status] of stated) expect(httpStatusOf(fault(code as LineageErrorCode, "x"))).toBe(status);
  });
});

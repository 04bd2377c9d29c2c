import { readFile } from "node:fs/promises";
import { fileLimits } from "@cm/sources-fs";
import { describe, expect, it } from "vitest";
import { reasons } from "../src/reasons.ts";

const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");

describe("the README", () => {
  it("states the limits that the code has", () => {
    const stated = [...readme.matchAll(/^\| `fileLimits\.(\w+)`\s+\| ([\d,]+) /gm)].map(([, name, value]) => [
      name,
      Number(value?.replaceAll(",", "")),
    ]);

    expect(fileLimits).toMatchObject(Object.fromEntries(stated));
    expect(stated.length).toBeGreaterThan(10);
  });

  it("lists every reason of an unreachable file", () => {
    expect(Object.values(reasons).filter((reason) => !readme.includes(`\`${reason}\``))).toEqual([]);
  });
});

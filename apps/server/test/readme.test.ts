// Verifies: the README states the limits that the code has.
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { limits } from "../src/limits.ts";

it("states the limits that the code has", async () => {
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");

  const stated = [...readme.matchAll(/^\| `serverLimits\.(\w+)` \| ([\d,]+) /gm)].map(([, name, value]) => [
    name,
    Number(value?.replaceAll(",", "")),
  ]);

  expect(Object.fromEntries(stated)).toEqual(limits);
});

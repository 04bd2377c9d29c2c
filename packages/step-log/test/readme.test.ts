// Verifies: the README's limits are those of the code.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { limits } from "../src/index.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

describe("the README", () => {
  it("states the limits that the code has", () => {
    const stated = [...readme.matchAll(/^\| `limits\.(\w+)` \| ([\d,]+) /gm)].map(([, name, value]) => [
      name,
      Number(value?.replaceAll(",", "")),
    ]);

    expect(Object.fromEntries(stated)).toEqual(limits);
  });
});

// @module-tag process
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { limits } from "../src/index.ts";

const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");

describe("the README", () => {
  it("states the limits that the code has", () => {
    const stated = [...readme.matchAll(/^\| `limits\.(\w+)` \| ([\d,]+) /gm)].map(([, name, value]) => [name, value]);
    const real = Object.entries(limits).map(([name, value]) => [name, value.toLocaleString("en-US")]);

    expect(Object.fromEntries(stated)).toEqual(Object.fromEntries(real));
  });
});

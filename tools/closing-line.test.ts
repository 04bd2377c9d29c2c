// @module-tag process
import { describe, expect, it } from "vitest";
import { innerRun } from "./inner-run.ts";

describe("the closing line", () => {
  it.each([
    ["tests that pass", 'it("holds", () => {});', "1 passed, 0 failed, 0 skipped"],
    [
      "tests that fail",
      'it("holds", () => {}); it("breaks", () => expect(1).toBe(2));',
      "1 passed, 1 failed, 0 skipped",
    ],
    ["a file that cannot be loaded", 'throw new Error("broken");', "0 passed, 1 failed, 0 skipped"],
    ["a hook that throws", 'afterAll(() => { throw 1; }); it("holds", () => {});', "1 passed, 1 failed, 0 skipped"],
    [
      "an error outside of every test",
      'Promise.reject(new Error("stray")); it("holds", async () => { await new Promise(setImmediate); });',
      "1 passed, 1 failed, 0 skipped",
    ],
  ])("counts %s, at the very end of the output", async (_what, text, expected) => {
    const { status, lastLine } = await innerRun(text, {});

    expect(lastLine).toBe(expected);
    expect(status).toBe(expected.includes("0 failed") ? 0 : 1);
  });
});

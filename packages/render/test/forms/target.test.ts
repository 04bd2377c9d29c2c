import type { JsonObject } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { targetOf } from "../../src/forms/target.ts";

describe("the target of a call", () => {
  it.each<[JsonObject, string | undefined]>([
    [{ path: "src/a.ts" }, "src/a.ts"],
    [{ file_path: "/home/dev/projects/app/src/deep/folder/name.ts" }, "*/src/deep/folder/name.ts"],
    [{ path: "x".repeat(60) }, `*${"x".repeat(27)}`],
    [{ command: "cd /w && npm run build" }, "npm run build"],
    [{ command: `echo\n  ${"long ".repeat(20)}` }, "echo long long long long lon"],
    [{ pattern: "needle", path: "src" }, "needle"],
    [{ query: "words" }, "words"],
    [{ count: 3 }, undefined],
    [{}, undefined],
  ])("%j", (args, expected) => {
    expect(targetOf(args)).toBe(expected);
    expect((targetOf(args) ?? "").length).toBeLessThanOrEqual(28);
  });
});

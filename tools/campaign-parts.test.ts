// Verifies: what `.ci/run` runs of the campaign is there, is long there alone, and each part has its day.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { partOf, parts } from "./campaign-parts.ts";
import { importsOf } from "./imports.ts";
import { root } from "./workspace.ts";

/** The text of a file, and of what it imports by a path. */
function textsFrom(path: string): string {
  const text = readFileSync(path, "utf8");
  const next = importsOf(text).filter((specifier) => specifier.startsWith("."));
  return [text, ...next.map((specifier) => readFileSync(join(path, "..", specifier), "utf8"))].join("\n");
}

it.each(parts.flatMap(({ files }) => files))("%s is a test with a long form", (file) => {
  expect(textsFrom(join(root, `${file}.test.ts`))).toContain("CM_CAMPAIGN");
});

it("is another part each day, until all had their turn", () => {
  const days = parts.map((_, day) => partOf(new Date(Date.UTC(2026, 1, 25 + day, 23, 59))));

  expect(new Set(days).size).toBe(parts.length);
});

it("is the same part all day", () => {
  expect(partOf(new Date("2026-11-23T00:00:00Z"))).toBe(partOf(new Date("2026-11-23T23:59:59Z")));
});

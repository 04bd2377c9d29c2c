import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "./workspace.ts";

/** A path on the page begins at a package, or at the root, and leaves off how a test's file ends. */
function isThere(path: string): boolean {
  const places = ["packages/", "apps/", ""].map((start) => start + path);
  return places.some((place) => globSync([place, `${place}{,.test,.conformance.test}.ts`], { cwd: root }).length > 0);
}

it("each promise on the page of guarantees names tests that are there", () => {
  const page = readFileSync(join(root, "docs/guarantees.md"), "utf8");
  const paths = [...page.matchAll(/`([\w-]+\/(?:[^`\s]*\/)?test\/[^`\s]*)`/g)].flatMap(([, path]) => path ?? []);

  expect(paths.length).toBeGreaterThan(300);
  expect([...new Set(paths)].filter((path) => !isThere(path))).toEqual([]);
});

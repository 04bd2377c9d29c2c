import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { committedFiles, root } from "./workspace.ts";

/** Each as its whole path, or as the end of one. */
function filesNamedIn(page: string): readonly string[] {
  const text = readFileSync(join(root, page), "utf8");
  return [...text.matchAll(/`([\w./-]*\w\.(?:ts|mjs|json|md))`/g)].flatMap(([, path]) => path ?? []);
}

it.each(["CONTRIBUTING.md", "docs/architecture.md"])("every file that %s names is there", (page) => {
  const named = filesNamedIn(page);
  const files = committedFiles().map((path) => `/${path}`);

  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !files.some((path) => path.endsWith(`/${name}`)))).toEqual([]);
});

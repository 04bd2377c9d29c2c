// @module-tag xtdb
// Verifies: the README names tests, options and commands that exist.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { helpText } from "../launch/help-text.ts";

const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");
const matches = (pattern: RegExp): string[] => [...readme.matchAll(pattern)].map(([, name = ""]) => name);

it("names only tests that exist", () => {
  const named = matches(/`([\w.-]+\.test\.ts)`/g);
  const existing = readdirSync(import.meta.dirname);

  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !existing.includes(name))).toEqual([]);
});

it("explains every option that --help shows, and no other", () => {
  const options = (text: string): string[] =>
    [...new Set([...text.matchAll(/--[a-z][\w-]+/g)].map(([name]) => name))].sort();
  // Of npm, not of ours.
  const explained = options(readme).filter((name) => !["--silent"].includes(name));

  expect(explained).toEqual(options(helpText));
});

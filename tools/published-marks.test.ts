// Verifies: comments, tests and laws name only published documents: sections of docs/ssot.md, rows of
// docs/guarantees.md, decisions.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { committedFiles, root } from "./workspace.ts";

const self = "tools/published-marks.test.ts";
const files = committedFiles().filter(
  (path) => /\.(m?ts|m?js|clj|edn|md)$/.test(path) && path !== self && !path.endsWith("CHANGELOG.md"),
);

/** Marks of documents that are in no repository. */
const unpublished =
  /\b[Dd]esign \d|\breliability (?:[FT]\d|asks|says)|\breliability\.md|\bcontext-log,? "|\breference\/[\w-]+\.md|\breference \d+[., ]|\b[Ii]ssue #?\d/g;

const read = (path: string): string => readFileSync(join(root, path), "utf8");
const found = (text: string, pattern: RegExp): readonly string[] => [...text.matchAll(pattern)].map(([mark]) => mark);
const sections = new Set(
  [...read("docs/ssot.md").matchAll(/^#{2,3} (\d+(?:\.\d+)?)[ )]/gm)].map(([, number]) => number),
);
const rows = new Set([...read("docs/guarantees.md").matchAll(/^\| ([FT]\d+) \|/gm)].map(([, row]) => row));
/** `SSOT 1.4, 3.8`: each number of the list. */
const numbersOf = (text: string): readonly string[] =>
  [...text.matchAll(/\bSSOT (\d+(?:\.\d+)?(?: \(\d+\))?(?:, \d+\.\d+(?: \(\d+\))?)*)/g)].flatMap(([, list = ""]) =>
    list.replace(/ \(\d+\)/g, "").split(", "),
  );

describe("marks in tracked files", () => {
  it("name no document that is not published", () => {
    const marks = files.flatMap((path) => found(read(path), unpublished).map((mark) => `${path}: ${mark}`));

    expect(marks).toEqual([]);
  });

  it("name sections of the specification that are there", () => {
    expect(sections.size).toBeGreaterThan(50);
    const wrong = files.flatMap((path) =>
      numbersOf(read(path)).flatMap((number) => (sections.has(number) ? [] : `${path}: SSOT ${number}`)),
    );

    expect(wrong).toEqual([]);
  });

  it("give each law a section of the specification or a row of the guarantees", () => {
    const clauses = files
      .filter((path) => /^packages\/testkit\/src\/.*\/laws\//.test(path))
      .flatMap((path) => [...read(path).matchAll(/\bclause: "([^"]*)"/g)].map(([, clause = ""]) => clause));

    expect(clauses.length).toBeGreaterThan(190);
    expect(clauses.filter((clause) => !rows.has(clause) && numbersOf(clause).length === 0)).toEqual([]);
  });
});

describe("the search for unpublished marks", () => {
  it.each([
    "Rent or purchase (design 7.4).",
    "Design 6: the index never shrinks.",
    "reliability T1",
    "the shares that reliability asks for",
    'context-log "Floor"',
    "reference/policy.md",
    "served from the cache (reference 5.5)",
    "issue 18.3: what is said",
  ])("finds %s", (text) => {
    expect(found(text, unpublished)).toHaveLength(1);
  });

  it.each(["a design change", "policies/context-log/fold.ts", "src/reference/documents.ts", "SSOT 4.4 (10)"])(
    "leaves %s",
    (text) => {
      expect(found(text, unpublished)).toEqual([]);
    },
  );
});

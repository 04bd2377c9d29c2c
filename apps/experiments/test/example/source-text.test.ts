import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  commentLine,
  exportedNames,
  insertionAboveFirstExport,
  listed,
  ownFunctions,
  renaming,
} from "../../src/example/source-text.ts";
import { replaceBlocks } from "../../src/example/tools/edit.ts";
import type { Replacement } from "../../src/example/tools/tool.ts";

function applied(text: string, edits: readonly Replacement[] | undefined): unknown {
  return edits === undefined ? undefined : replaceBlocks(text, edits);
}

describe("names", () => {
  const text = `export type A = 1;
export async function b(): void;
export async function b(x?: 1): void {}
function own() {}
async function* other$() {}
export default class C {}
  function inner() {}
export { d } from "./d";`;

  it("are those that the file itself declares, each once", () => {
    expect(exportedNames(text)).toEqual(["A", "b", "C"]);
    expect(ownFunctions(text)).toEqual(["own", "other$"]);
  });

  it("are listed up to eight", () => {
    expect(listed(["a", "b"])).toBe("a, b");
    expect(listed([..."abcdefghij"])).toBe("a, b, c, d, e, f, g, h and 2 more");
  });
});

describe("a comment line", () => {
  it.each([
    ["a.ts", "// x"],
    ["a.mjs", "// x"],
    ["a.md", "<!-- x -->"],
    ["a.py", "# x"],
    ["a.json", undefined],
  ])("is what the language of %s has", (path, expected) => {
    expect(commentLine(path, "x")).toBe(expected);
  });
});

describe("an insertion", () => {
  it("goes above the first export and its comment", () => {
    const text = "import a;\n\n/**\n * Why.\n */\nexport const b = 1;\nexport const c = 2;\n";

    const edit = insertionAboveFirstExport(text, "// new");

    const expected = "import a;\n\n// new\n/**\n * Why.\n */\nexport const b = 1;\nexport const c = 2;\n";
    expect(applied(text, edit && [edit])).toEqual({ text: expected });
  });

  it("goes to the top where nothing is exported", () => {
    const edit = insertionAboveFirstExport("a\nb\na\n", "# new");

    expect(applied("a\nb\na\n", edit && [edit])).toEqual({ text: "# new\na\nb\na\n" });
  });

  it("takes in the lines that it needs to be unique", () => {
    expect(insertionAboveFirstExport("export a\nexport a\nb\n", "n")).toMatchObject({ oldText: "export a\nexport a" });
  });
});

describe("a renaming", () => {
  it("changes the word wherever it stands, and no part of another", () => {
    const text = "function f() {}\nf(f, ff, $f);\nx\nf(f, ff, $f);\nlast";

    const edits = renaming(text, "f", "g$&");

    expect(applied(text, edits)).toEqual({ text: "function g$&() {}\ng$&(g$&, ff, $f);\nx\ng$&(g$&, ff, $f);\nlast" });
  });

  it("is given up where a place is not unique", () => {
    expect(renaming("f\nx\nf", "f", "g")).toBeUndefined();
  });

  it("always applies, or is given up", () => {
    const lines = fc.array(fc.constantFrom("f", "f()", "x", "", "ff", "f x f", "}"), { maxLength: 12 });
    fc.assert(
      fc.property(lines, (some) => {
        const text = some.join("\n");

        const edits = renaming(text, "f", "g");

        if (edits === undefined || edits.length === 0) return;
        expect(applied(text, edits)).toEqual({ text: text.replace(/\bf\b/g, "g") });
      }),
    );
  });
});

import { describe, expect, it } from "vitest";
import { grep } from "../../../src/example/tools/grep.ts";
import { numberedLines, workingFolder } from "../working-folder.ts";

const folder = workingFolder();

describe("grep", () => {
  it("lists matches in the order of paths, relative to where it searches", async () => {
    await folder.file("src/b.ts", "one\ntwo one\n");
    await folder.file("src/a/z.ts", "one\r\n");

    const all = await grep({ pattern: "^(two )?one" }, folder.workspace());
    const below = await grep({ pattern: "one", path: "src" }, folder.workspace());
    const single = await grep({ pattern: "two", path: "src/b.ts" }, folder.workspace());

    expect(all.text).toBe("src/a/z.ts:1: one\nsrc/b.ts:1: one\nsrc/b.ts:2: two one");
    expect(below.text).toBe("a/z.ts:1: one\nb.ts:1: one\nb.ts:2: two one");
    expect(single.text).toBe("b.ts:2: two one");
  });

  it("leaves out binary files, dot files, installed packages and links", async () => {
    await folder.file("a.bin", new Uint8Array([0x6f, 0x6e, 0x65, 0]));
    await folder.file(".hidden/a.ts", "one");
    await folder.file("node_modules/a.ts", "one");
    await folder.file("../beside.ts", "one");
    await folder.link("link.ts", folder.at("../beside.ts"));

    const result = await grep({ pattern: "one" }, folder.workspace());

    expect(result).toEqual({ text: "No matches found", failed: false });
  });

  it("stops at the limit and says so", async () => {
    await folder.file("a.ts", numberedLines(150));

    const byDefault = await grep({ pattern: "line" }, folder.workspace());
    const two = await grep({ pattern: "line", limit: 2 }, folder.workspace());

    expect(byDefault.text.split("\n")).toHaveLength(102);
    expect(two.text).toBe(
      "a.ts:1: line 1\na.ts:2: line 2\n\n[2 matches limit reached. Use limit=4 for more, or refine pattern]",
    );
  });

  it("shortens long lines and says so", async () => {
    await folder.file("a.ts", `x${"y".repeat(600)}`);

    const result = await grep({ pattern: "x" }, folder.workspace());

    const shown = `a.ts:1: x${"y".repeat(499)}... [truncated]`;
    expect(result.text).toBe(`${shown}\n\n[Some lines truncated to 500 chars. Use read tool to see full lines]`);
  });

  it("shows no more than 50 KB", async () => {
    await folder.file("a.ts", `${"x".repeat(499)}\n`.repeat(150));

    const result = await grep({ pattern: "x", limit: 200 }, folder.workspace());

    expect(result.text.endsWith("\n\n[50.0KB limit reached]")).toBe(true);
    expect(Buffer.byteLength(result.text)).toBeLessThan(51 * 1024);
  });

  it("fails for a pattern that is none, and for a path that is not there", async () => {
    const pattern = await grep({ pattern: "(" }, folder.workspace());
    const path = await grep({ pattern: "x", path: "gone" }, folder.workspace());

    expect(pattern).toEqual({ text: "Not a regular expression: (", failed: true });
    expect(path).toEqual({ text: "File not found: gone", failed: true });
  });
});

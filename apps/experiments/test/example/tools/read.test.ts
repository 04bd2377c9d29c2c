import { describe, expect, it } from "vitest";
import { limits } from "../../../src/example/limits.ts";
import { read } from "../../../src/example/tools/read.ts";
import { numberedLines, workingFolder } from "../working-folder.ts";

const folder = workingFolder();

describe("read", () => {
  it("shows a whole file as it is", async () => {
    await folder.file("a.txt", "\uFEFFone\r\ntwo\n");

    const result = await read({ path: "a.txt" }, folder.workspace());

    expect(result).toEqual({ text: "\uFEFFone\r\ntwo\n", failed: false });
  });

  it("shows a part and says how much is left, without details as Pi does", async () => {
    await folder.file("a.txt", numberedLines(10));

    const result = await read({ path: "a.txt", offset: 3, limit: 2 }, folder.workspace());

    const text = "line 3\nline 4\n\n[6 more lines in file. Use offset=5 to continue.]";
    expect(result).toEqual({ text, failed: false });
  });

  it("says nothing about what is left where the part reaches the end", async () => {
    await folder.file("a.txt", numberedLines(10));

    const result = await read({ path: "a.txt", offset: 9, limit: 5 }, folder.workspace());

    expect(result.text).toBe("line 9\nline 10");
  });

  it("cuts after 2,000 lines and says where to go on", async () => {
    await folder.file("a.txt", numberedLines(2_500));

    const result = await read({ path: "a.txt" }, folder.workspace());

    expect(result.text.split("\n").slice(1998)).toEqual([
      "line 1999",
      "line 2000",
      "",
      "[Showing lines 1-2000 of 2500. Use offset=2001 to continue.]",
    ]);
    const truncation = { truncated: true, truncatedBy: "lines", totalLines: 2_500, outputLines: 2_000 };
    expect(result.details).toEqual({ truncation });
  });

  it("cuts before the line that passes 50 KB", async () => {
    const line = "x".repeat(1023);
    await folder.file("a.txt", `${line}\n`.repeat(60));

    const result = await read({ path: "a.txt", offset: 2 }, folder.workspace());

    const [text, notice] = result.text.split("\n\n");
    expect(text).toBe(Array.from({ length: 50 }, () => line).join("\n"));
    expect(notice).toBe("[Showing lines 2-51 of 61 (50.0KB limit). Use offset=52 to continue.]");
  });

  it("shows a notice only where one line is too long", async () => {
    await folder.file("a.txt", "x".repeat(60 * 1024));

    const result = await read({ path: "a.txt" }, folder.workspace());

    expect(result.text).toMatch(/^\[Line 1 is 60\.0KB, exceeds 50\.0KB limit\. Use bash: .*\]$/);
    expect(result.failed).toBe(false);
  });

  it.each([
    ["a part behind the end", { path: "a.txt", offset: 5 }, "Offset 5 is beyond end of file (1 lines total)"],
    ["a file that is not there", { path: "gone.txt" }, "File not found: gone.txt"],
    ["a folder", { path: "sub" }, "Not a file: sub"],
    ["bytes that are no text", { path: "b.bin" }, "Not a text file: b.bin"],
    ["a path that no file can have", { path: "a\0b" }, "Path cannot be opened: a\0b"],
    [
      "a file that is too large",
      { path: "large.txt" },
      `File is larger than ${limits.openedBytesMax} bytes: large.txt`,
    ],
  ])("fails for %s", async (_title, args, text) => {
    await folder.file("a.txt", "one");
    await folder.file("b.bin", new Uint8Array([65, 0, 66]));
    await folder.file("sub/c.txt", "");
    await folder.file("large.txt", "x".repeat(args.path === "large.txt" ? limits.openedBytesMax + 1 : 0));

    const result = await read(args, folder.workspace());

    expect(result).toEqual({ text, failed: true });
  });
});

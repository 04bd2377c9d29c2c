// Verifies: SSOT 5.6: what of a tool's output stands for a file.
import { describe, expect, it } from "vitest";
import { fileEvidenceOf } from "../../src/files/file-evidence.ts";
import type { ToolCall } from "../../src/files/recorded-touch.ts";

const call = (tool: string, args: object, text: string, details?: object): ToolCall => ({
  ...{ tool, args: { path: "/root/a.txt", ...args }, text, failed: false },
  ...(details === undefined ? {} : { details }),
});
const ofRead = (args: object, text: string, details?: object) =>
  fileEvidenceOf(call("read", args, text, details), "read");

describe("a read", () => {
  it("of the whole file tells its text to the letter", () => {
    expect(ofRead({}, "one\r\ntwo\n\n")).toEqual({ whole: "one\r\ntwo\n\n" });
  });

  it.each([
    ["an offset", ofRead({ offset: 2 }, "two\n"), "two"],
    ["a limit", ofRead({ limit: 1 }, "one\n\n[1 more lines in file. Use offset=2 to continue.]"), "one"],
    ["an output that was cut", ofRead({}, "one", { truncation: { truncated: true, outputLines: 1 } }), "one"],
    ["a remark of the tool", ofRead({}, "one\n\n[Showing lines 1-1 of 9. Use offset=2 to continue.]"), "one"],
    ["an end like a remark", ofRead({}, "one\n\n[3 more lines in file]"), "one"],
  ])("with %s tells a part", (_title, told, part) => {
    expect(told).toEqual({ part });
  });

  it.each([
    ["a picture", ofRead({}, "Read image file [image/png]")],
    ["bytes that are no text", ofRead({}, "a\uFFFDb")],
    ["numbers before its lines", ofRead({}, "     1→one\n     2→two")],
    ["nothing", ofRead({}, "")],
    ["another tool", fileEvidenceOf(call("fetch_file", {}, "one"), "read")],
  ])("of %s tells nothing", (_title, told) => {
    expect(told).toBeUndefined();
  });
});

describe("a change", () => {
  it("by a write tells the text that was written", () => {
    expect(fileEvidenceOf(call("write", { content: "new\n" }, "Wrote 4 bytes"), "edited")).toEqual({ whole: "new\n" });
  });

  it("by anything else tells that there was one", () => {
    expect(fileEvidenceOf(call("edit", { oldText: "a", newText: "b" }, "Done"), "edited")).toHaveProperty("changed");
    expect(fileEvidenceOf(call("bash", { command: "sed -i s/a/b/ a.txt" }, ""), "edited")).toHaveProperty("changed");
  });

  it("that failed tells nothing", () => {
    expect(fileEvidenceOf(call("write", { content: "new\n" }, "No space"), "discovered")).toBeUndefined();
  });
});

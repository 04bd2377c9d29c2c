// Verifies: SSOT 4.4 (2)
import { describe, expect, it } from "vitest";
import { parseNumbered, sparseNumbers, textLines } from "../src/numbered-text.ts";

describe("line numbers", () => {
  it("stay on the first line and on every tenth", () => {
    const text = Array.from({ length: 14 }, (_, index) => `${index + 95}→x`).join("\n");

    expect(sparseNumbers(text)).toBe("95→x\nx\nx\nx\nx\n100→x\nx\nx\nx\nx\nx\nx\nx\nx");
  });

  it("are read in the form of cat -n, too", () => {
    expect(parseNumbered("     1\ta\n     2\tb")).toEqual({ opening: "", body: "a\nb", firstNumber: 1, tail: "" });
  });

  it("end where the count breaks, and what follows is left alone", () => {
    const text = "  7→a\n  8→\n  9→c\n12→no\n\n<note>";

    expect(parseNumbered(text)).toEqual({ opening: "", body: "a\n\nc", firstNumber: 7, tail: "\n12→no\n\n<note>" });
    expect(sparseNumbers(text)).toBe("  7→a\n\nc\n12→no\n\n<note>");
  });

  it("are seen below what Codex says before an output", () => {
    const head = "Chunk ID: 1a\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n";
    const text = `${head}     8\ta\n     9\tb\n    10\tc\n    11\td\n`;

    expect(sparseNumbers(text)).toBe(`${head}     8\ta\nb\n    10\tc\nd\n`);
    expect(textLines(text).map(({ number, text: line }) => `${number ?? ""} ${line}`)).toEqual([
      ...[" Chunk ID: 1a", " Wall time: 0.1 seconds", " Process exited with code 0", " Output:"],
      ...["8 a", "9 b", "10 c", "11 d", " "],
    ]);
  });

  it.each([
    ["<file>\n", "00009| ", "00010| ", "00011| ", "\n\n(End of file - total 11 lines)\n</file>"],
    ["<file>\n", "00009 |", "00010 |", "00011 |", "\n\n(File has more lines. …)\n</file>"],
    [
      "<path>/a</path>\n<type>file</type>\n<content>\n",
      "9: ",
      "10: ",
      "11: ",
      "\n\n(Showing lines 9-11 of 20 …)\n</content>",
    ],
    // Between these two, the first line followed the opening without a break.
    ["<path>/a</path>\n<type>file</type>\n<content>", "9: ", "10: ", "11: ", "\n</content>"],
  ])("are seen below what opencode says before a file: %j %j", (opening, first, second, third, closing) => {
    const text = `${opening}${first}a\n${second}\n${third}c${closing}`;

    expect(sparseNumbers(text)).toBe(`${opening}${first}a\n${second}\nc${closing}`);
    expect(parseNumbered(text)).toEqual({ opening, body: "a\n\nc", firstNumber: 9, tail: closing });
    expect(
      textLines(text)
        .map(({ whole }) => whole)
        .join("\n"),
    ).toBe(text);
    const numbered = textLines(text).filter(({ number }) => number !== undefined);
    expect(numbered.map(({ number, text: line }) => [number, line])).toEqual([
      [9, "a"],
      [10, ""],
      [11, "c"],
    ]);
  });

  it.each(["", "a\nb", "<file>\na", "<content>\n1: a", "1\tone\n2\ttwo", "1: a\n2: b", "1|a\n2|b", "1,a\n2,b"])(
    "are not seen in a table's first column: %j",
    (text) => {
      expect(parseNumbered(text)).toBeUndefined();
      expect(sparseNumbers(text)).toBe(text);
    },
  );
});

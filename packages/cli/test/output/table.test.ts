// Verifies: tables for people: aligned whatever the script, within the terminal, one line for each row.
import { stripVTControlCharacters } from "node:util";
import { columnsOf } from "@cm/terminal-text/tables";
import { describe, expect, it } from "vitest";
import { tableText } from "../../src/output/table.ts";

const columns = [
  { title: "name", shrinks: true },
  { title: "size", align: "right" },
] as const;
const rows = [
  ["日本語", "1"],
  ["e\u0301clair", "20"],
  ["evil\u001b[2J\nname", "300"],
];

describe("a table", () => {
  it("aligns wide, combining and hostile names", () => {
    expect(tableText(columns, rows, { color: false, width: undefined }).split("\n")).toEqual([
      "name                    size",
      "日本語                     1",
      "e\u0301clair                    20",
      "evil\\u{1b}[2J\\u{a}name   300",
      "",
    ]);
  });

  it("fits a narrow terminal by cutting names in the middle", () => {
    const lines = tableText(columns, rows, { color: false, width: 20 }).trimEnd().split("\n");

    expect(lines.map((line) => columnsOf(line)).filter((width) => width > 20)).toEqual([]);
    expect(lines.at(-1)).toMatch(/^evil\\.*….*name {3}300$/);
  });

  it("has the same text in colour", () => {
    const colored = tableText(columns, rows, { color: true, width: undefined });

    expect(colored).not.toBe(stripVTControlCharacters(colored));
    expect(stripVTControlCharacters(colored)).toBe(tableText(columns, rows, { color: false, width: undefined }));
  });
});

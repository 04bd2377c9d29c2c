// Verifies: columns stand below each other whatever the script, and no cell takes the place of another.
import { describe, expect, it } from "vitest";
import { type AlignedColumn, alignedLines, columnsOf } from "../src/tables.ts";

const columns: readonly AlignedColumn[] = [
  { name: "file", alignment: "left" },
  { name: "chars", title: "size", alignment: "right" },
];

describe("aligned lines", () => {
  it("have a head, and a line for each row without spaces at its end", () => {
    const rows = [{ file: "a.ts", chars: "12,000" }, { chars: "7" }, { file: "a longer name" }];

    expect(alignedLines(columns, rows)).toEqual([
      "file             size",
      "a.ts           12,000",
      "                    7",
      "a longer name",
    ]);
  });

  it.each(["日本語", "e\u0301clair", "क्षि", "🙂👍🏽", "ｶﾞ", "각"])("end in one column for %s", (file) => {
    const lines = alignedLines(columns, [
      { file, chars: "1" },
      { file: "plain", chars: "2" },
    ]);

    expect(new Set(lines.map(columnsOf)).size).toBe(1);
  });
});

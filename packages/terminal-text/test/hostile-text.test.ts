// Verifies: T8: nothing that is shown can steer the terminal, turn a line around or break it.
import { describe, expect, it } from "vitest";
import { visibleLine, visibleText } from "../src/index.ts";
import { columnsOf, shortened } from "../src/tables.ts";

describe("text from outside on one line", () => {
  it("shows every character that would act instead of being drawn", () => {
    expect(visibleLine("a\u001b[31mb\u202ec\nd\u2028e\ud800f\u009bg\u200bh", 100)).toBe(
      "a\\u{1b}[31mb\\u{202e}c\\u{a}d\\u{2028}e\\u{d800}f\\u{9b}g\\u{200b}h",
    );
  });

  it("is cut with a mark", () => {
    expect(visibleLine("abcdef", 3)).toBe("abc…");
  });
});

describe("a text of several lines", () => {
  it("keeps line feeds and tabs, and nothing else that acts", () => {
    expect(visibleText("a\tb\nc\rd\u001be\u202ef\u0000")).toBe("a\tb\nc\\u{d}d\\u{1b}e\\u{202e}f\\u{0}");
  });
});

describe("shortening", () => {
  it.each([
    ["latin", "abcdefghij", 5, "ab…ij"],
    ["wide characters, never half of one", "日本語日本語", 6, "日…語"],
    ["what fits", "日本", 4, "日本"],
  ])("counts columns of %s", (_what, text, columns, expected) => {
    const short = shortened(text, columns);

    expect(short).toBe(expected);
    expect(columnsOf(short)).toBeLessThanOrEqual(columns);
  });
});

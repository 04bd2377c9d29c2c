import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { visibleLine } from "../src/index.ts";
import { columnsOf, shortened } from "../src/tables.ts";

describe("text from outside", () => {
  it("stands in one line of visible characters, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
        return !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(visibleLine(text, 40));
      }),
    );
  });

  it("is bounded and says so", () => {
    expect(visibleLine("abcdef", 4)).toBe("abcd…");
    expect(visibleLine("abcd", 4)).toBe("abcd");
  });

  it("is shortened in the middle, to at most the columns given", () => {
    expect(shortened("session-of-today.jsonl", 11)).toBe("sessi…jsonl");
    expect(shortened("会議の記録.jsonl", 11)).toBe("会議…jsonl");
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 40 }), fc.nat(30), (text, columns) => {
        expect(columnsOf(shortened(visibleLine(text, 40), columns))).toBeLessThanOrEqual(Math.max(1, columns));
      }),
    );
  });

  it("counts East Asian characters and pictures as two columns", () => {
    expect(columnsOf("a日🙂")).toBe(5);
  });
});

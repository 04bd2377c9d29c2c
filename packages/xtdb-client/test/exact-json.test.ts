// Verifies: JSON answers lose no integer in silence.
import { describe, expect, it } from "vitest";
import { parseExactJson } from "../src/exact-json.ts";

describe("integers", () => {
  it.each<readonly [string, unknown]>([
    ["9007199254740991", 9_007_199_254_740_991],
    ["9007199254740993", 9_007_199_254_740_993n],
    ["[-9007199254740993]", [-9_007_199_254_740_993n]],
    ['{"a":1,"b":  123456789012345678901}', { a: 1, b: 123_456_789_012_345_678_901n }],
    ["[1e21,1.5,100000000000000000000.0]", [1e21, 1.5, 1e20]],
    ['["1234567890123456789",",1234567890123456789"]', ["1234567890123456789", ",1234567890123456789"]],
  ])("%s", (text, value) => {
    expect(parseExactJson(text)).toEqual(value);
  });
});

it.each([
  "",
  "[",
  "[1]x",
  "NaN",
  "'a'",
  '"\\ud800"',
  '{"\\udc00":1}',
  '["\\ud83d","\\ude00"]',
  `[${"9".repeat(9_999)}]`,
])("refuses %o", (text) => {
  expect(() => parseExactJson(text)).toThrow(SyntaxError);
});

it("takes surrogates in pairs", () => {
  expect(parseExactJson('"\\ud83d\\ude00"')).toBe("\u{1f600}");
});

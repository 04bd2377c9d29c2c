// The comparison that wire.test.ts relies on sees what it must see.
import { describe, expect, it } from "vitest";
import { canonicalEdn } from "./support/canonical-edn.ts";
import { canonicalJson } from "./support/canonical-json.ts";

describe("JSON is the same", () => {
  it.each([
    ["in another order", '{"a":1,"b":[2]}', '{ "b": [2], "a": 1 }'],
    ["with other escapes", '"\\u00e9"', '"é"'],
    ["with another clock", '["2026-01-01T00:00:00Z"]', '["2031-05-05T01:02:03Z"]'],
    ["with a real number written otherwise", "[1.50]", "[1.5]"],
  ])("%s", (_, one, other) => {
    expect(canonicalJson(one)).toBe(canonicalJson(other));
  });
});

describe("JSON differs", () => {
  it.each([
    ["by the order of an array", "[1,2]", "[2,1]"],
    ["by a kind of number", "1", "1.0"],
    ["by a digit beyond 2^53", "9007199254740993", "9007199254740992"],
    ["by a number as text", "1", '"1"'],
    ["by a time that no clock made", '["2010-01-01T00:00:00Z"]', '["2010-01-01T00:00:01Z"]'],
    ["by null in place of nothing", '{"a":null}', "{}"],
  ])("%s", (_, one, other) => {
    expect(canonicalJson(one)).not.toBe(canonicalJson(other));
  });
});

describe("EDN is the same", () => {
  it.each([
    ["in another order", "{:a 1 :b #{1 2}}", "{:b #{2 1}, :a 1}"],
    ["with other escapes", '"\\u00e9"', '"é"'],
    ["with another clock", '#inst "2026-01-01T00:00:00.000-00:00"', '#inst "<time>"'],
    ["with a moment written otherwise", '#inst "2010-01-01T00:00:00.000-00:00"', '#inst "2010-01-01T00:00:00Z"'],
  ])("%s", (_, one, other) => {
    expect(canonicalEdn(one)).toBe(canonicalEdn(other));
  });
});

describe("EDN differs", () => {
  it.each([
    ["by list and vector", "(1)", "[1]"],
    ["by kinds of numbers", "1", "1N"],
    ["by whole and real", "1", "1.0"],
    ["by double and decimal", "1.5", "1.5M"],
    ["by keyword and text", ":a", '"a"'],
    ["by a millisecond", '#inst "2010-01-01T00:00:00.001Z"', '#inst "2010-01-01T00:00:00Z"'],
    ["by a tag", '#xtdb/id "ab"', '"ab"'],
  ])("%s", (_, one, other) => {
    expect(canonicalEdn(one)).not.toBe(canonicalEdn(other));
  });

  it.each([
    ["that breaks off", "("],
    ["that goes on", "1 2"],
    ["that cannot be read", "#object[a 0x1]"],
  ])("is refused %s", (_, text) => {
    expect(() => canonicalEdn(text)).toThrow(SyntaxError);
  });
});

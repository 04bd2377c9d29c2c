// Verifies: F12
import canonicalize from "canonicalize";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../src/index.ts";
import { randomJson, shuffled } from "./random/json.ts";
import { forSeeds } from "./random/random.ts";

const cyclic: unknown[] = [];
cyclic.push(cyclic);

describe("canonical JSON", () => {
  it("is what an independent implementation of RFC 8785 makes of 10,000 random documents", () => {
    forSeeds(2_000, (random) => {
      const value = randomJson(random, 5);

      if (canonicalJson(value) !== canonicalize(value)) expect(canonicalJson(value)).toBe(canonicalize(value));
    });
  });

  it("does not depend on the order of keys, and survives its own round trip", () => {
    forSeeds(2_000, (random) => {
      const value = randomJson(random, 5);
      const text = canonicalJson(value);

      expect(canonicalJson(shuffled(random, value))).toBe(text);
      expect(canonicalJson(JSON.parse(text))).toBe(text);
    });
  });

  it.each([
    [0, "0"],
    [-0, "0"],
    [1e21, "1e+21"],
    [1e20, "100000000000000000000"],
    [1e-7, "1e-7"],
    [0.000001, "0.000001"],
    [5e-324, "5e-324"],
    [1.7976931348623157e308, "1.7976931348623157e+308"],
    [2 ** 53 + 2, "9007199254740994"],
    [1 / 3, "0.3333333333333333"],
    [-1.5, "-1.5"],
    [1e9 / 3, "333333333.3333333"],
  ])("writes the number %s as %s", (number, text) => {
    expect(canonicalJson(number)).toBe(text);
  });

  it("orders keys by UTF-16 units, as the example of RFC 8785 has it", () => {
    const names = { "\u20ac": 5, "\r": 1, "\ufb33": 7, "1": 2, "\u{1F600}": 6, "\u0080": 3, "\u00f6": 4 };

    expect([...canonicalJson(names).matchAll(/":(\d)/g)].map(([, value]) => value).join("")).toBe("1234567");
  });

  it("escapes what must be escaped and nothing else", () => {
    expect(canonicalJson('\u0000\u001f\b\t\n\f\r"\\/\u007f\u2028\u{1F600}é')).toBe(
      '"\\u0000\\u001f\\b\\t\\n\\f\\r\\"\\\\/\u007f\u2028\u{1F600}é"',
    );
  });

  it("leaves undefined members out, keeps null, and keeps a key named __proto__", () => {
    expect(canonicalJson({ b: undefined, a: null })).toBe('{"a":null}');
    expect(canonicalJson(JSON.parse('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}');
  });

  it("does not normalise Unicode", () => {
    expect(canonicalJson("e\u0301")).not.toBe(canonicalJson("\u00e9"));
  });

  it.each([
    ["NaN", Number.NaN],
    ["infinity", Number.POSITIVE_INFINITY],
    ["minus infinity", { a: [Number.NEGATIVE_INFINITY] }],
    ["BigInt", 1n],
    ["undefined", undefined],
    ["undefined in an array", [undefined]],
    ["a sparse array", new Array(3)],
    ["a function", { a: () => 1 }],
    ["a symbol", Symbol("a")],
    ["a lone high surrogate", "a\ud800"],
    ["a lone low surrogate", { a: ["\udc00b"] }],
    ["a lone surrogate in a key", { "\ud800": 1 }],
    ["a date", { at: new Date(0) }],
    ["a map", new Map()],
    ["a typed array", new Uint8Array(1)],
    ["a boxed number", Object(1)],
    ["an instance of a class", new (class Point {})()],
  ])("refuses %s", (_, value) => {
    expect(() => canonicalJson(value)).toThrow(expect.objectContaining({ code: "model/not-canonical" }));
  });

  it("refuses a cycle with a limit instead of a crash", () => {
    expect(() => canonicalJson(cyclic)).toThrow(expect.objectContaining({ code: "model/limit" }));
  });
});

// Verifies: the EDN writer writes what XTDB reads back to the same value, and refuses the rest by name.
import { describe, expect, it } from "vitest";
import { clientLimits, Double, double, type EdnInput, keyword, symbol, uuid, writeEdn } from "../src/index.ts";
import { thrown } from "./support/thrown.ts";

describe("writes", () => {
  it.each<readonly [EdnInput, string]>([
    [null, "nil"],
    [true, "true"],
    [0, "0"],
    [-0, "0"],
    [double(-0), "0.0"],
    [1.5, "1.5"],
    [1e21, "1e+21"],
    [1e-7, "1e-7"],
    [2 ** 53, "9007199254740992.0"],
    [2 ** 53 - 1, "9007199254740991"],
    [double(3), "3.0"],
    [9_223_372_036_854_775_807n, "9223372036854775807"],
    [9_223_372_036_854_775_808n, "9223372036854775808N"],
    [-9_223_372_036_854_775_808n, "-9223372036854775808"],
    [-9_223_372_036_854_775_809n, "-9223372036854775809N"],
    ['q"\\\n\u0000é\u{1f600}\u2028', '"q\\"\\\\\\n\\u0000é\u{1f600}\u2028"'],
    [new Date(0), '#inst "1970-01-01T00:00:00.000Z"'],
    [new Uint8Array([1, 2, 3]), '#xtdb/base64 "AQID"'],
    [keyword("a.b/c-d"), ":a.b/c-d"],
    [symbol("clojure.core/map"), "clojure.core/map"],
    [uuid("00000000-0000-0000-0000-00000000000a"), '#uuid "00000000-0000-0000-0000-00000000000a"'],
    [[], "[]"],
    [[1, [2, null]], "[1 [2 nil]]"],
    [new Set(["a"]), '#{"a"}'],
    [{}, "{}"],
    [{ "xt/id": "a", b: { c: [] } }, '{:xt/id "a" :b {:c []}}'],
    [JSON.parse('{"__proto__":1,"constructor":2}'), "{:__proto__ 1 :constructor 2}"],
  ])("%o", (value, text) => {
    expect(writeEdn(value)).toBe(text);
  });
});

const nested = (levels: number): EdnInput => {
  let value: EdnInput = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};
const cycle: EdnInput[] = [];
cycle.push(cycle);
/** What types would forbid. */
const untyped = (value: unknown): EdnInput => value as EdnInput;

describe("refuses", () => {
  it.each<readonly [string, EdnInput]>([
    ["a lone surrogate", "a\ud800"],
    ["a lone surrogate deep down", { a: ["\udc00"] }],
    ["NaN", Number.NaN],
    ["Infinity", -Number.POSITIVE_INFINITY],
    ["a double that is none", new Double(Number.NaN)],
    ["undefined", untyped(undefined)],
    ["undefined in a map", untyped({ a: undefined })],
    ["undefined in an array", untyped([undefined])],
    ["a hole in an array", untyped(new Array(1))],
    ["a function", untyped(() => 1)],
    ["a symbol of JavaScript", untyped(Symbol("a"))],
    ["an invalid date", new Date(Number.NaN)],
    ["a date before 1583", new Date("1582-12-31T23:59:59.999Z")],
    ["a date after 9999", new Date(Date.UTC(10_000, 0))],
    ["a Map", untyped(new Map([["a", 1]]))],
    ["an instance of a class", untyped(new URL("http://a"))],
    ["an array of bytes of another width", untyped(new Uint16Array(1))],
    ["a cycle", cycle],
    ["too many levels", nested(clientLimits.writeDepthMax + 1)],
    ["an integer with too many digits", 10n ** BigInt(clientLimits.integerDigitsMax)],
    ["a key with a space", { "a b": 1 }],
    ["a key with two slashes", { "a/b/c": 1 }],
    ["an empty key", { "": 1 }],
    ["a key with a bracket", { "a} :xt/fn (fn [ctx])": 1 }],
    ["a key with a colon", { ":a": 1 }],
    ["a key with a letter beyond ASCII", { é: 1 }],
    ["a key too long", { ["k".repeat(clientLimits.keyCharsMax + 1)]: 1 }],
  ])("%s", (_, value) => {
    const error = thrown(() => writeEdn(value));

    expect(error.code).toBe("xtdb/invalid");
  });

  it("a text beyond the bound, before it is built", () => {
    const large = "x".repeat(clientLimits.requestBytesMax / 4);

    expect(thrown(() => writeEdn([large, large, large, large])).data.bytesMax).toBe(clientLimits.requestBytesMax);
  });

  it("one array a billion times over", () => {
    let laughs: EdnInput = ["ha".repeat(1_000)];
    for (let level = 0; level < 30; level += 1) laughs = [laughs, laughs];

    expect(thrown(() => writeEdn(laughs)).code).toBe("xtdb/invalid");
  });

  it.each(["", "a b", ":a", "a/b/c", "a/", "/a", "é", 'a"', "a}", "a".repeat(clientLimits.keyCharsMax + 1)])(
    "keyword(%o)",
    (name) => {
      expect(thrown(() => keyword(name)).code).toBe("xtdb/invalid");
    },
  );

  it.each(["", "1a", "-1", "nil", "true", "a b", "a(", "#a", ":a", "a/b/c"])("symbol(%o)", (name) => {
    expect(thrown(() => symbol(name)).code).toBe("xtdb/invalid");
  });

  it("without repeating what it refuses", () => {
    const canary = "qzXkWvJ0pLm3RtY7";
    const values = [`${canary}\ud800`, { [`${canary} `]: 1 }, untyped({ a: [canary, () => canary] })];

    for (const value of values) {
      const error = thrown(() => writeEdn(value));

      expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain(canary);
    }
  });
});

it("levels and digits up to the bounds pass", () => {
  expect(() => writeEdn(nested(clientLimits.writeDepthMax))).not.toThrow();
  expect(writeEdn(10n ** BigInt(clientLimits.integerDigitsMax) - 1n)).toHaveLength(clientLimits.integerDigitsMax + 1);
});

// Verifies: the EDN reader keeps every value and takes nothing that is cut off, left over or unknown.
import { describe, expect, it } from "vitest";
import { readEdnListStart } from "../src/edn/read.ts";
import {
  clientLimits,
  EdnAtom,
  type EdnOutput,
  EdnSymbol,
  EdnSyntaxError,
  Keyword,
  readEdn,
  Tagged,
} from "../src/index.ts";

describe("reads", () => {
  it.each<readonly [string, EdnOutput]>([
    ["nil", null],
    [" , true ; why\n", true],
    ["-12", -12],
    ["+3", 3],
    ["-0", 0],
    ["-0.0", -0],
    ["3.0", 3],
    ["1.5E-7", 1.5e-7],
    ["9007199254740991", 9_007_199_254_740_991],
    ["9007199254740993", 9_007_199_254_740_993n],
    ["7N", 7n],
    ["-123456789012345678901234567890N", -123_456_789_012_345_678_901_234_567_890n],
    ["1.50M", new EdnAtom("1.50M")],
    ["1/3", new EdnAtom("1/3")],
    ["\\a", new EdnAtom("\\a")],
    ["\\(", new EdnAtom("\\(")],
    ["\\newline", new EdnAtom("\\newline")],
    ["##Inf", Number.POSITIVE_INFINITY],
    ["##NaN", Number.NaN],
    [":a.b/c", new Keyword("a.b/c")],
    ["clojure.core/<", new EdnSymbol("clojure.core/<")],
    ['"a\\n\\u00e9\\"\\\\ \u0000 é\u{1f600}"', 'a\né"\\ \u0000 é\u{1f600}'],
    ['"\\ud83d\\ude00"', "\u{1f600}"],
    ['["a\\"b" "c" "d\\\\" ""]', ['a"b', "c", "d\\", ""]],
    ["[1 (2 [3]) #{4}]", [1, [2, [3]], new Set([4])]],
    ["{:a/b 1, :c {:d nil}}", { "a/b": 1, c: { d: null } }],
    ["#:x{:a 1 :y/b 2 :_/c 3}", { "x/a": 1, "y/b": 2, c: 3 }],
    [
      '{"a" 1 :b 2}',
      new Map<EdnOutput, EdnOutput>([
        ["a", 1],
        [new Keyword("b"), 2],
      ]),
    ],
    ['#inst "2024-05-01T10:00:00.734-00:00"', new Date("2024-05-01T10:00:00.734Z")],
    ['#inst "2024-05-01T10:00:00.734+02:00"', new Date("2024-05-01T08:00:00.734Z")],
    ['#xtdb/base64 "AQID"', new Uint8Array([1, 2, 3])],
    [`#xtdb/id "${"0a".repeat(20)}"`, "0a".repeat(20)],
    ['#uuid "x"', new Tagged("uuid", "x")],
    ["#who/knows [1]", new Tagged("who/knows", [1])],
  ])("%s", (text, value) => {
    expect(readEdn(text)).toEqual(value);
  });

  it("a key named __proto__ as data", () => {
    const value = readEdn("{:__proto__ {:polluted true}}");

    expect(Object.keys(value ?? {})).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});

describe("refuses", () => {
  it.each([
    "",
    " ; only a comment",
    "[1 2",
    "(1 2]",
    "[1 2)",
    "{:a}",
    "{:a 1 :a 2}",
    "#{1",
    "]",
    "1 2",
    "[1] garbage",
    '"a',
    '"a\\',
    '"a\\"',
    '"\\x"',
    '"\\u12"',
    '"\\u12g4"',
    '"\\ud800"',
    "01",
    "1.2.3",
    "1a",
    "- 1 2",
    "1/0x",
    ":",
    "::a",
    ":a:b{",
    "#",
    "#inst",
    '#inst "yesterday"',
    '#inst "2024-02-30T99:00:00Z"',
    "#inst 3",
    '#xtdb/base64 "A"',
    '#xtdb/id "zz"',
    "#_ 1 2 3",
    "#=(+ 1 2)",
    "#'a",
    '#"regex"',
    '#object["[B" 0x1234 "[B@1234"]',
    "'a",
    "`a",
    "@a",
    "^{:a 1} b",
    "~a",
    "##Infinity",
    "\\",
    "\\notacharacter",
    "\u00a01",
  ])("%o", (text) => {
    expect(() => readEdn(text)).toThrow(EdnSyntaxError);
  });

  it("more levels than the bound, without running out of stack", () => {
    const levels = (count: number) => `${"[".repeat(count)}1${"]".repeat(count)}`;

    expect(() => readEdn(levels(clientLimits.readDepthMax))).not.toThrow();
    expect(() => readEdn(levels(clientLimits.readDepthMax + 1))).toThrow(EdnSyntaxError);
    for (const open of ["[", "(", "{", "#{", "{:a ", "#a "]) {
      expect(() => readEdn(open.repeat(1_000_000))).toThrow(EdnSyntaxError);
    }
  });

  it("an integer with more digits than the bound", () => {
    expect(() => readEdn("9".repeat(clientLimits.integerDigitsMax * 2))).toThrow(EdnSyntaxError);
  });

  it("every beginning of a text, as cut off", () => {
    const text = '({:a "x\\n" :b [1 #{2} #inst "2024-05-01T10:00:00.734-00:00"] :c #uuid "u"})';

    for (let end = 0; end < text.length; end += 1) {
      expect(() => readEdn(text.slice(0, end)), text.slice(0, end)).toThrow(EdnSyntaxError);
    }
  });

  it("without repeating what it refuses", () => {
    expect(() => readEdn('"canary" canary')).toThrow(/^EDN: something after the end at character 9$/);
  });
});

describe("a list that was cut off", () => {
  const element =
    '{:a/b "x\\n\\u00e9\\"" :c [1.5E7 -3 12N 1/3 1.5M nil true] :d #{##Inf} :e (\\newline \\u00e9 \\a) :f #inst "2024-05-01T10:00:00.734-00:00" :g #who/knows x/y}';
  const text = `(${element} ${element} ${element})`;

  it("gives the elements that are whole, wherever the cut is", () => {
    const whole = readEdnListStart(text).values;

    for (let end = 0; end < text.length; end += 1) {
      const start = readEdnListStart(text.slice(0, end));
      const elements = Math.max(
        0,
        Math.floor((end - 1) / (element.length + 1)) + (end % (element.length + 1) === 0 && end > 0 ? 1 : 0),
      );
      expect(start.whole, `${end}`).toBe(false);
      expect(start.values, `${end}`).toEqual(whole.slice(0, Math.min(elements, 3)));
    }
    expect(readEdnListStart(text)).toMatchObject({ whole: true, values: { length: 3 } });
  });

  it.each([
    "{:a 1}",
    "(1 2)",
    "({:a 1} 2)",
    "({:a 1}) more",
    "({:a 1]",
    "({:a 1} ]",
    '({:a "\\x"})',
    "({:a})",
    "#{{:a 1}}",
  ])("is no excuse for %o", (bad) => {
    expect(() => readEdnListStart(bad)).toThrow(EdnSyntaxError);
  });
});

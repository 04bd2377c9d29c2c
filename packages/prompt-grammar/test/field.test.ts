// Verifies: T2
import { forSeeds, type Random, randomText } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { boundedField, field, fieldPattern, parseField } from "../src/field.ts";

describe("a one-line field", () => {
  it.each([
    ["src/a.ts", "src/a.ts"],
    ["call_1@s#3", "call_1@s#3"],
    ["", '""'],
    ["a b", '"a b"'],
    ["a=b", '"a=b"'],
    ["[unread]", '"[unread]"'],
    ["x\ny", '"x\\ny"'],
    ["x\u2028y", '"x\\u2028y"'],
    ["x\u202ey\u200bz\ufeff", '"x\\u202ey\\u200bz\\ufeff"'],
    ["x\u00a0y", '"x\\u00a0y"'],
    ["\u{e0041}", '"\\udb40\\udc41"'],
    ["日本", '"日本"'],
  ])("%j stands as %s", (value, expected) => {
    expect(field(value)).toBe(expected);
  });

  it("is cut with an ellipsis past 512 characters, whole characters only", () => {
    const value = "🙂".repeat(400);

    expect(field(value)).toHaveLength(511);
    expect(boundedField(value)).toBe(`${"🙂".repeat(254)}…`);
  });

  it("is one line and reads back, for random and hostile values", async () => {
    const whole = new RegExp(`^${fieldPattern}$`);

    await forSeeds({ short: 10_000, long: 1_000_000, file: "packages/prompt-grammar/test/field.test.ts" }, (random) => {
      const value = hostileValue(random);
      const text = field(value);

      expect(text.length).toBeLessThanOrEqual(512);
      expect(text).toMatch(whole);
      expect(text).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
      expect(field(parseField(text))).toBe(text);
      expect(parseField(text) === value || parseField(text).endsWith("…")).toBe(true);
    });
  });
});

/** What JSON leaves bare, what some readers take for a new line, and what stands in our own lines. */
const marks = [
  '"',
  "\\",
  "\n",
  "\r",
  "\u2028",
  "\u0085",
  "\u202e",
  "\u{e0041}",
  "\ud800",
  "\udc00",
  "=",
  "[unread]",
  "id=f1",
];

function hostileValue(random: Random): string {
  const value = random.some(6, () => (random.chance(0.5) ? random.pick(marks) : randomText(random))).join("");
  return random.chance(0.05) ? value.repeat(1 + random.below(60)) : value;
}

// Verifies: T2
import { describe, expect, it } from "vitest";
import { boundedField, field, fieldPattern, parseField } from "../../src/grammar/field.ts";
import { hostileField } from "../support/hostile-text.ts";
import { createRandom, runSeed, runsOf } from "../support/random.ts";

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

  const runs = runsOf(10_000, 1_000_000);
  const title = `is one line and reads back, ${runs} hostile values`;
  it(title, () => {
    const { seed, replay } = runSeed(title);
    const random = createRandom(seed);
    const whole = new RegExp(`^${fieldPattern}$`);

    for (let run = 0; run < runs; run += 1) {
      const value = hostileField(random);
      const text = field(value);
      const fine =
        text.length <= 512 &&
        whole.test(text) &&
        !/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(text) &&
        field(parseField(text)) === text &&
        (parseField(text) === value || parseField(text).endsWith("…"));
      if (!fine) expect.fail(`${JSON.stringify(value)} became ${text}; ${replay}`);
    }
  });
});

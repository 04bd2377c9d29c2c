// Verifies: SSOT 2.8, decision 112: containment is a subset of keys.
import { describe, expect, it } from "vitest";
import { filterMatcher, indexKeysOf, type JsonValue, sealDocument } from "../src/index.ts";
import { randomJson, shuffled } from "./random/json.ts";
import { forSeeds, type Random } from "./random/random.ts";

const isContained = (whole: JsonValue, part: JsonValue): boolean => {
  const payload = { content: null, tool: "t", args: { value: whole }, status: "ok", chat_ref: "chat:s1" } as const;
  return filterMatcher({ type: "toolcall", where: { args: { value: part } } })(
    sealDocument({ type: "toolcall", id: "call_1" }, payload),
  );
};

const hasKeys = (whole: JsonValue, part: JsonValue): boolean => {
  const keys = new Set(indexKeysOf({ value: whole }));
  return indexKeysOf({ value: part }).every((key) => keys.has(key));
};

/** Some of a value: often contained in it, and sometimes not quite. */
function somePart(random: Random, value: JsonValue): JsonValue {
  if (random.below(10) === 0) return randomJson(random, 1);
  if (Array.isArray(value)) return value.filter(() => random.below(2) === 0);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(() => random.below(3) > 0);
  return Object.fromEntries(members.map(([name, member]) => [name, somePart(random, member ?? null)] as const));
}

describe("what indexed fields contain", () => {
  it("is a subset of their keys, for random values and parts of them", () => {
    let contained = 0;
    forSeeds(2_000, (random) => {
      const whole = randomJson(random);
      const part = somePart(random, shuffled(random, whole));
      const holds = isContained(whole, part);
      if (holds) contained += 1;

      expect(hasKeys(whole, part)).toBe(holds);
    });
    expect(contained).toBeGreaterThan(400);
  });

  it("has keys that any database can index: short, on one line, without NUL", () => {
    forSeeds(500, (random) => {
      for (const key of indexKeysOf({ value: randomJson(random), long: "x\0\n".repeat(random.below(100)) })) {
        expect(key.length).toBeLessThanOrEqual(160);
        expect(key).not.toMatch(/[\0\n\r]/);
      }
    });
  });
});

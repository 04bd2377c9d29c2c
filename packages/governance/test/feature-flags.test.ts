// Verifies: domain model, "Session": what a session holds, its feature flags.
import { expect, it } from "vitest";
import { limits, parseFlags } from "../src/index.ts";

it("takes names that are on or off, and names what is wrong without its value", () => {
  expect(parseFlags({ beta: true, other: false })).toEqual({ beta: true, other: false });
  expect(parseFlags({})).toEqual({});
  const many = Object.fromEntries(Array.from({ length: limits.featureFlagsMax + 1 }, (_, n) => [`f${n}`, true]));
  for (const wrong of [null, "beta", [true], { beta: "on" }, { "": true }, many])
    expect(() => parseFlags(wrong)).toThrow(expect.objectContaining({ code: "governance/invalid-flags" }));
  expect(() => parseFlags({ beta: "hush" })).toThrow(/beta/);
  expect(() => parseFlags({ beta: "hush" })).not.toThrow(/hush/);
});

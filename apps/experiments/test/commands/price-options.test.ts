// Verifies: price vectors by a provider's name or as numbers.
import { providerPrices } from "@cm/context-log";
import { describe, expect, it } from "vitest";
import { parseGenerated } from "../../src/commands/generated-recordings.ts";
import { parseLifetime, parsePriceVectors } from "../../src/commands/price-options.ts";

describe("--prices", () => {
  it("takes names, short names and numbers, each once, in the order given", () => {
    const vectors = parsePriceVectors("anthropic, 0.5/1, none, anthropic5m, 0.50/1");

    expect(vectors.map(({ name }) => name)).toEqual(["anthropic5m", "0.5/1", "none"]);
    expect(vectors[0]?.prices).toEqual(providerPrices.anthropic5m);
    expect(vectors[1]?.prices).toMatchObject({ read: 0.5, write: 1, lifetimeMs: 300_000 });
  });

  it.each(["cheap", "", "0.1/", "0.1/-1", "0.1/1/2", "constructor", "__proto__"])("refuses %j", (value) => {
    expect(() => parsePriceVectors(value)).toThrow(/Known prices|A price is/);
  });
});

describe("--lifetime", () => {
  it("takes two words, or minutes", () => {
    expect(["never", "recorded", "7.5"].map(parseLifetime)).toEqual(["never", "recorded", { minutes: 7.5 }]);
  });

  it.each(["", "0", "-1", "forever"])("refuses %j", (value) => {
    expect(() => parseLifetime(value)).toThrow("number of minutes");
  });
});

describe("--generated", () => {
  it("takes seeds with numbers of calls", () => {
    expect(parseGenerated("1:20, 2:30")).toEqual([
      { seed: 1, calls: 20 },
      { seed: 2, calls: 30 },
    ]);
  });

  it.each(["1", "1:0", "a:1", "1:99999999", ""])("refuses %j", (value) => {
    expect(() => parseGenerated(value)).toThrow("SEED:CALLS");
  });
});

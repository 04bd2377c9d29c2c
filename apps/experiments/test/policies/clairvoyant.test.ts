// Verifies: who knows the future is a bound below the context log, and misses nothing.
import { describe, expect, it } from "vitest";
import { replayed } from "./support/replayed.ts";

describe("clairvoyant", () => {
  it("has every text in view that an edit needs, for less than the default costs", async () => {
    const log = await replayed("default");

    const { totals } = await replayed("clairvoyant");

    expect(totals.neededMet).toBe(totals.needed);
    expect(totals.needed).toBe(7);
    expect(totals.billed).toBeLessThanOrEqual(log.totals.billed);
  });

  it("keeps nothing that no later call needs", async () => {
    const { requests } = await replayed("clairvoyant");

    const long = requests.at(-1)?.prompt.messages.filter(({ text }) => text.length > 10_000) ?? [];

    expect(long).toEqual([]);
  });
});

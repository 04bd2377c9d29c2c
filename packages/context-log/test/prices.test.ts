// Verifies: SSOT 4.6: what a request is billed, and where it asks for caching.
import { describe, expect, it } from "vitest";
import { billedInput, breakpointsOf, defaultPrices, type RenderedPrompt, servedPrefix } from "../src/index.ts";

describe("a bill", () => {
  it("is the read price of what the cache serves, and the write price of the rest", () => {
    expect(billedInput({ read: 0.1, write: 1.25 }, { total: 1_000, cached: 900 })).toBeCloseTo(215);
    expect(billedInput({ read: 1, write: 1 }, { total: 1_000, cached: 900 })).toBe(1_000);
  });
});

describe("cache marks", () => {
  it("are for providers that cache only there", () => {
    const message = { id: "0", role: "user", text: "text", chars: 4 } as const;
    const prompt: RenderedPrompt = {
      ...{ layout: "plain/1", system: "", messages: [message], chars: 4, kept: { messages: 0, chars: 0 } },
    };

    expect(breakpointsOf(prompt, undefined, defaultPrices)).toBeUndefined();
    expect(servedPrefix(prompt, undefined, defaultPrices)).toEqual({ messages: 0, chars: 0 });
  });
});

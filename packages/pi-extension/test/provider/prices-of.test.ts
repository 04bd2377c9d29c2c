// Verifies: SSOT 4.6: a request is billed as the model's provider bills it.
import { defaultPrices } from "@cm/context-log";
import { describe, expect, it } from "vitest";
import { pricesOf, retentionOf } from "../../src/provider/prices-of.ts";
import { costs, model } from "./support/models.ts";

const minuteMs = 60_000;
const marks = { breakpointsMax: 4, lookbackBlocks: 20 };

describe("prices come from the costs in Pi's list", () => {
  it.each([
    ["Anthropic", model("anthropic-messages", { cost: costs(10, 1, 12.5) }), { read: 0.1, write: 1.25, ...marks }],
    ["a later model", model("anthropic-messages", { cost: costs(10, 0.25, 12.5) }), { read: 0.025, write: 1.25 }],
    ["Anthropic's format elsewhere", model("anthropic-messages", { cost: costs(1, 0.2, 0) }), { read: 0.2, write: 1 }],
    ["writing for free", model("openai-responses", { cost: costs(2, 0.5, 0) }), { read: 0.25, write: 1 }],
    ["writing at a price", model("openai-responses", { cost: costs(4, 0.4, 5) }), { read: 0.1, write: 1.25 }],
    ["no discount", model("openai-completions", { cost: costs(1, 3, 0) }), { read: 1, write: 1 }],
    ["a slip in the list", model("openai-completions", { cost: costs(0.001, 0.0001, 9) }), { read: 0.1, write: 4 }],
    ["storing by the hour", model("openai-completions", { cost: costs(1, 0.1, 0.06) }), { read: 0.1, write: 1 }],
  ] as const)("%s", (_, asked, expected) => {
    const { read, write, ...rest } = pricesOf(asked);

    expect({ read: round(read), write: round(write), ...rest }).toMatchObject(expected);
  });
});

describe("where the list says nothing they come from the wire format", () => {
  it.each([
    ["anthropic-messages", {}, { read: 0.1, write: 1.25, lifetimeMs: 5 * minuteMs, ...marks }],
    ["openai-completions", {}, { read: 0.1, write: 1, lifetimeMs: 10 * minuteMs }],
    ["openai-responses", {}, { read: 0.1, write: 1, lifetimeMs: 10 * minuteMs }],
    ["google-vertex", {}, { read: 0.1, write: 1 }],
    ["a format of tomorrow", {}, { read: 0.1, write: 1, lifetimeMs: 10 * minuteMs }],
    ["bedrock-converse-stream", {}, { read: 0.1, write: 1.25, breakpointsMax: 2, lookbackBlocks: 20 }],
    ["openai-completions", { provider: "openrouter", id: "anthropic/claude" }, { write: 1.25, ...marks }],
    ["openai-completions", { compat: { cacheControlFormat: "anthropic" } }, { write: 1.25, ...marks }],
  ] as const)("%s %j", (api, changes, expected) => {
    expect(pricesOf(model(api, changes))).toMatchObject(expected);
  });

  it("and only what marks are for has marks", () => {
    expect(Object.keys(pricesOf(model("openai-completions"))).sort()).toEqual(["lifetimeMs", "read", "write"]);
  });
});

describe("a cache that is kept for an hour", () => {
  it("is written at twice the price, also where the list has that of five minutes", () => {
    const listed = model("anthropic-messages", { cost: costs(10, 1, 12.5), promptCache: { short: 300, long: 3_600 } });

    expect(pricesOf(listed, "long")).toMatchObject({ read: 0.1, write: 2, lifetimeMs: 60 * minuteMs });
    expect(pricesOf(model("anthropic-messages"), "long")).toMatchObject({ write: 2, lifetimeMs: 60 * minuteMs });
    expect(pricesOf(listed)).toMatchObject({ write: 1.25, lifetimeMs: 5 * minuteMs });
  });

  it("is asked for as Pi reads it", () => {
    expect([{ PI_CACHE_RETENTION: "long" }, { PI_CACHE_RETENTION: "none" }, {}].map(retentionOf)).toEqual([
      "long",
      "short",
      "short",
    ]);
  });
});

it("prices are numbers whatever the list holds", () => {
  const odd = model("anthropic-messages", { cost: costs(Number.NaN, -1, Number.POSITIVE_INFINITY) });

  expect(pricesOf(odd)).toMatchObject(defaultPrices);
});

const round = (price: number): number => Math.round(price * 1_000) / 1_000;

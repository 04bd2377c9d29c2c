// Verifies: the simulated caches count as their providers say they do.
import { describe, expect, it } from "vitest";
import { billed } from "../../src/model/billed.ts";
import { pieceOf } from "../../src/wire/pieces.ts";
import { PrefixCache } from "../../src/wire/prefix-cache.ts";
import type { Piece } from "../../src/wire/sent-prompt.ts";

/** A piece of 40 characters, which are 10 tokens. */
const piece = (name: string, marked = false): Piece => {
  const text = name.padEnd(40, ".");
  return { text, chars: text.length, marked };
};
const pieces = (names: string): Piece[] => names.split("").map((name) => piece(name));
/** A capital is marked. */
const marked = (names: string): Piece[] => names.split("").map((name) => piece(name.toLowerCase(), /[A-Z]/.test(name)));

describe("an automatic cache", () => {
  it("reads the longest start that any request before had", () => {
    const cache = new PrefixCache();

    const counted = ["abc", "abcd", "axyz", "abcd"].map((names) => cache.count("openai-completions", pieces(names)));

    expect(counted.map(({ cacheRead, input }) => [cacheRead, input])).toEqual([
      [0, 30],
      [30, 10],
      [10, 30],
      [40, 0],
    ]);
  });

  it("reads to the character within a piece", () => {
    const cache = new PrefixCache();
    cache.count("openai-responses", [piece("a"), piece("a text that goes on like this")]);

    const { cacheRead, cacheWrite } = cache.count("openai-responses", [piece("a"), piece("a text that ends")]);

    expect([cacheRead, cacheWrite]).toEqual([Math.ceil((40 + "a text that ".length) / 4), 0]);
  });
});

describe("a cache with marks", () => {
  const count = (...requests: readonly string[]) => {
    const cache = new PrefixCache();
    return requests.map((names) => Object.values(cache.count("anthropic-messages", marked(names))));
  };

  it("writes up to the last mark, and reads from a mark that was there before", () => {
    // Reading, writing, neither.
    expect(count("aBcD", "aBcdeFg")).toEqual([
      [0, 40, 0],
      [40, 20, 10],
    ]);
  });

  it("reads nothing of what stands before a change", () => {
    expect(count("aBcD", "aBxdE", "zbcD")).toEqual([
      [0, 40, 0],
      [20, 30, 0],
      [0, 40, 0],
    ]);
  });

  it("looks back over 20 blocks and no further", () => {
    const long = "cdefghijklmnopqrstuv";

    expect(count("aB", `ab${long.slice(0, -1)}W`).at(-1)).toEqual([20, 200, 0]);
    expect(count("aB", `ab${long}W`).at(-1)).toEqual([0, 230, 0]);
  });

  it("heeds the first four marks", () => {
    expect(count("ABCDEf")).toEqual([[0, 40, 20]]);
  });
});

it("leaves marks out of what it compares, and counts an image for less than its bytes", () => {
  const block = { type: "text", text: "x" };
  const data = Buffer.alloc(90_000).toString("base64");

  const [plain, marked] = [pieceOf("user", block), pieceOf("user", { ...block, cache_control: { type: "ephemeral" } })];
  const image = pieceOf("user", { type: "image", source: { type: "base64", media_type: "image/png", data } });

  expect([marked.text, marked.marked, plain.marked]).toEqual([plain.text, true, false]);
  expect(image.chars).toBeLessThan(6_200);
});

it("bills in tokens of plain input", () => {
  const tokens = { input: 5, cacheRead: 100, cacheWrite: 20 };

  expect(billed([{ tokens }, { tokens }], { read: 0.1, write: 1.25 })).toBe(2 * (5 + 10 + 25));
});

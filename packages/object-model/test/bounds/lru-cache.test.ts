// Verifies: a cache holds no more than its weight, and what was used longest ago goes first.
import { expect, it } from "vitest";
import { LruCache } from "../../src/index.ts";

const keptOf = (cache: LruCache<number>, keys: string) =>
  [...keys].filter((key) => cache.get(key) !== undefined).join("");

it("forgets what was used longest ago", () => {
  const cache = new LruCache<number>({ weightMax: 3 });
  for (const key of "abc") cache.set(key, 1);

  cache.get("a");
  cache.set("d", 1);

  expect(keptOf(cache, "abcd")).toBe("acd");
});

it("counts the weight of what is replaced and deleted no more", () => {
  const cache = new LruCache<number>({ weightMax: 10 });
  cache.set("a", 1, 6);
  cache.set("a", 2, 1);
  cache.set("b", 1, 6);
  cache.delete("b");
  cache.set("c", 1, 9);

  expect(keptOf(cache, "abc")).toBe("ac");
  expect(cache.get("a")).toBe(2);
});

it("holds nothing that is heavier than all its room", () => {
  const cache = new LruCache<number>({ weightMax: 10 });
  cache.set("a", 1);
  cache.set("b", 1, 11);

  expect(keptOf(cache, "ab")).toBe("");
});

it("makes more room than it needs where only a share is kept", () => {
  const cache = new LruCache<number>({ weightMax: 10, keptShare: 0.5 });
  for (const key of "abcdefghijk") cache.set(key, 1);

  expect(keptOf(cache, "abcdefghijk")).toBe("ghijk");
});

import type { JsonObject, JsonValue } from "../../src/index.ts";
import type { Random } from "./random.ts";

/** Names that mean something to a language or a database. */
export const reservedNames = ["__proto__", "constructor", "toString", "xt/id", "xt/fn", "crux.db/fn", "content", ""];

const numbers = [0, -0, 1, -1, 0.1, 1e21, 1e-7, 5e-324, 2 ** 53, -(2 ** 53), Number.MAX_VALUE, 1 / 3, 1e20, 123456789];
const pieces = [
  ...'abcXYZ01 ./_"\\\u0000\u001f\n\u007f\u00e9\u4e2d\ufeff\ufffd',
  "\u{1F600}",
  "\u{10FFFF}",
  "\u0301",
  "\u2028",
];

export function randomText(random: Random, bound = 12): string {
  return random.some(bound, () => random.pick(pieces)).join("");
}

export function randomJson(random: Random, depth = 4): JsonValue {
  const dice = random.below(depth > 0 ? 8 : 5);
  if (dice < 2) return randomText(random);
  if (dice === 2)
    return random.below(2) === 0 ? random.pick(numbers) : (random.below(2 ** 31) - 2 ** 30) / 2 ** random.below(40);
  if (dice === 3) return random.below(2) === 0;
  if (dice === 4) return null;
  if (dice === 5) return random.some(5, () => randomJson(random, depth - 1));
  return randomObject(random, depth - 1);
}

export function randomObject(random: Random, depth = 3): JsonObject {
  const key = () => (random.below(8) === 0 ? random.pick(reservedNames) : randomText(random));
  return Object.fromEntries(random.some(6, () => [key(), randomJson(random, depth)] as const));
}

/** The same value with the keys of every object in another order. */
export function shuffled(random: Random, value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((element: JsonValue) => shuffled(random, element));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [random.below(1_000), key, member ?? null] as const);
  return Object.fromEntries(
    entries.sort(([a], [b]) => a - b).map(([, key, member]) => [key, shuffled(random, member)]),
  );
}

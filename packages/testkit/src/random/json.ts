import type { JsonObject, JsonValue } from "@cm/object-model";
import type { Random } from "./random.ts";
import { randomText, reservedNames } from "./texts.ts";

const numbers = [0, 1, -1, 0.1, 1e21, 1e-7, 5e-324, 2 ** 53, -(2 ** 53), Number.MAX_VALUE, 1 / 3];

/** Any JSON value, at most `depth` levels deep. Keys may be reserved names, as own properties. */
export function randomJson(random: Random, depth = 4): JsonValue {
  const dice = random.below(depth > 0 ? 8 : 5);
  if (dice < 2) return randomText(random);
  if (dice === 2) return random.chance(0.5) ? random.pick(numbers) : random.below(2 ** 31) - 2 ** 30;
  if (dice === 3) return random.chance(0.5);
  if (dice === 4) return null;
  if (dice === 5) return random.some(5, () => randomJson(random, depth - 1));
  return randomJsonObject(random, depth - 1);
}

export function randomJsonObject(random: Random, depth = 3): JsonObject {
  const key = () => (random.chance(0.15) ? random.pick(reservedNames) : randomText(random));
  return Object.fromEntries(random.some(5, () => [key(), randomJson(random, depth)] as const));
}

import { type Prices, providerPrices } from "@cm/context-log";
import type { Lifetime, PriceVector } from "@cm/replay";
import { InvalidArgumentError } from "commander";
import { limits } from "../limits.ts";

const providers: Readonly<Record<string, Prices>> = providerPrices;
/** Short names for what most people pay. */
const shortNames: Readonly<Record<string, string>> = {
  anthropic: "anthropic5m",
  openai: "openaiGpt5",
  deepseek: "deepseekV3",
};

export const priceNames: readonly string[] = [...Object.keys(providers), ...Object.keys(shortNames)];

/** `--prices p,q`: names of providers' prices, or READ/WRITE */
export function parsePriceVectors(value: string): readonly PriceVector[] {
  const vectors = value.split(",").map((name) => priceVector(name.trim()));
  const names = new Set(vectors.map(({ name }) => name));
  return [...names].flatMap((name) => vectors.find((vector) => vector.name === name) ?? []);
}

function priceVector(text: string): PriceVector {
  const [read = "", write, ...more] = text.split("/");
  if (write !== undefined && more.length === 0) return numericPrices(parsePrice(read), parsePrice(write));
  const name = Object.hasOwn(shortNames, text) ? (shortNames[text] ?? text) : text;
  const prices = Object.hasOwn(providers, name) ? providers[name] : undefined;
  if (prices === undefined)
    throw new InvalidArgumentError(`Known prices: ${priceNames.join(", ")}, or READ/WRITE as in 0.1/1.25.`);
  return { name, prices };
}

/** The cache of prices given as numbers is unknown, so its lifetime is a common one. */
export function numericPrices(read: number, write: number): PriceVector {
  return { name: `${read}/${write}`, prices: { read, write, lifetimeMs: limits.cacheLifetimeMs } };
}

/** `--read`, `--write` */
export function parsePrice(value: string): number {
  const price = Number(value);
  if (value.trim() === "" || !Number.isFinite(price) || price < 0)
    throw new InvalidArgumentError("A price is a number from 0 on.");
  return price;
}

/** `--lifetime recorded|never|MINUTES` */
export function parseLifetime(value: string): Lifetime {
  if (value === "recorded" || value === "never") return value;
  const minutes = Number(value);
  if (value.trim() === "" || !Number.isFinite(minutes) || minutes <= 0)
    throw new InvalidArgumentError("A lifetime is `recorded`, `never` or a number of minutes.");
  return { minutes };
}

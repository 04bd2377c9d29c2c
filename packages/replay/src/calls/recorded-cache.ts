import type { Prices } from "@cm/context-log";
import type { ModelCall } from "./model-calls.ts";

/**
 * The lifetime of an unused prefix in the provider's cache. `never`: it never expires. `recorded`: the lifetime of the
 * prices, by the recorded times; prices without a lifetime never expire. Minutes: this lifetime, independent of the
 * prices.
 */
export type Lifetime = "never" | "recorded" | { readonly minutes: number };

export function lifetimeName(lifetime: Lifetime): string {
  return typeof lifetime === "string" ? lifetime : `${lifetime.minutes} min`;
}

const minuteMs = 60_000;

/** Says of each request of a recording, in order, whether the provider's cache still had the one before. */
export class RecordedCache {
  readonly #lifetimeMs: number | undefined;
  readonly #forgets: boolean;
  #usedAt: number | undefined;
  #model: string | undefined;
  /** When the newest event happened that precedes the next request. */
  #newest: number | undefined;

  constructor(lifetime: Lifetime, { lifetimeMs }: Pick<Prices, "lifetimeMs">) {
    this.#forgets = lifetime !== "never";
    this.#lifetimeMs = typeof lifetime === "string" ? lifetimeMs : lifetime.minutes * minuteMs;
  }

  next({ before, answer, results }: ModelCall): "warm" | "cold" {
    for (const { at } of before) this.#newest = at?.getTime() ?? this.#newest;
    const askedAt = this.#newest ?? answer.at?.getTime();
    const isCold = this.#forgets && (this.#isIdle(askedAt) || this.#isOther(answer.model));
    this.#usedAt = answer.at?.getTime() ?? askedAt ?? this.#usedAt;
    this.#model = modelOf(answer.model) ?? this.#model;
    this.#newest = results.findLast(({ at }) => at !== undefined)?.at?.getTime() ?? this.#usedAt;
    return isCold ? "cold" : "warm";
  }

  #isIdle(askedAt: number | undefined): boolean {
    if (askedAt === undefined || this.#usedAt === undefined || this.#lifetimeMs === undefined) return false;
    return askedAt - this.#usedAt > this.#lifetimeMs;
  }

  /** Another model has another cache. */
  #isOther(model: string | undefined): boolean {
    const known = modelOf(model);
    return known !== undefined && this.#model !== undefined && known !== this.#model;
  }
}

/** Harnesses write answers of their own into the record, under names such as `<synthetic>`. */
function modelOf(model: string | undefined): string | undefined {
  return model?.startsWith("<") ? undefined : model;
}

import { canonicalJson, isCmError, type ObjectStore } from "@cm/object-model";

/**
 * One of two stores that get the same calls. Tokens, bases and cursors are opaque and differ between stores, so in
 * answers each is replaced by the number under which it first came up.
 */
export class ComparedStore {
  readonly store: ObjectStore;
  readonly bases: string[] = [];
  readonly tokens: string[] = [];
  readonly cursors: string[] = [];

  constructor(store: ObjectStore) {
    this.store = store;
  }

  /** What a call answered, a refusal included, as plain comparable data. */
  async answer(call: (side: ComparedStore) => Promise<unknown>): Promise<unknown> {
    try {
      return this.#plain(await call(this));
    } catch (error) {
      if (!isCmError(error)) throw error;
      const { actual, ...data } = error.data;
      const tokens = Array.isArray(actual) ? actual.map((token) => this.#number(this.tokens, token)) : actual;
      return { refused: error.code, message: error.message, data, tokens };
    }
  }

  #plain(value: unknown): unknown {
    if (value instanceof Map) return [...value].map((entry) => this.#plain(entry));
    if (Array.isArray(value)) return value.map((entry) => this.#plain(entry));
    if (typeof value !== "object" || value === null || value instanceof Date) return value;
    // A find's basis is the newest transaction of the node, which may be one that wrote nothing here.
    const { basis: _, ...page } = value as Record<string, unknown>;
    const compared = "versions" in value ? page : value;
    // Entries, so that the order of keys is compared too.
    return Object.entries(compared).map(([key, member]) => [key, this.#member(key, member)]);
  }

  #member(key: string, value: unknown): unknown {
    if (key === "document") return canonicalJson(value);
    if (key === "token") return this.#number(this.tokens, value);
    if (key === "basis") return this.#number(this.bases, value);
    return key === "next" ? this.#number(this.cursors, value) : this.#plain(value);
  }

  #number(known: string[], value: unknown): unknown {
    if (typeof value !== "string" || value === "absent") return value;
    if (!known.includes(value)) known.push(value);
    return known.indexOf(value);
  }
}

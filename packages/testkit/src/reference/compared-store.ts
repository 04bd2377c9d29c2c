import { canonicalJson, type Filter, type FindPage, isCmError, type ObjectStore, type Page } from "@cm/object-model";

/**
 * One of two stores that get the same calls. Tokens, bases and cursors are opaque and differ between stores, so in
 * answers each is replaced by the number under which it first came up.
 */
export class ComparedStore {
  readonly store: ObjectStore;
  readonly bases: string[] = [];
  readonly tokens: string[] = [];
  readonly cursors: string[] = [];
  /** The cursors of finds alone. A find takes any text for a place between ids, also what a history gave. */
  readonly findCursors: string[] = [];

  readonly #shared: boolean;

  /**
   * `shared`: others write to the database, so a find's basis may be a transaction that wrote nothing here; and it keeps
   * documents in its own way, so the order of their keys says nothing.
   */
  constructor(store: ObjectStore, { shared = false }: { readonly shared?: boolean | undefined } = {}) {
    this.store = store;
    this.#shared = shared;
  }

  async find(filter: Filter, page: Page): Promise<FindPage> {
    const found = await this.store.find(filter, page);
    this.#number(this.findCursors, found.next);
    return found;
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
    // Entries, so that the order of keys is compared too.
    const isPage = "versions" in value;
    return Object.entries(value)
      .filter(([key]) => !(this.#shared && isPage && key === "basis"))
      .map(([key, member]) => [key, this.#member(key, member)]);
  }

  #member(key: string, value: unknown): unknown {
    if (key === "document") return this.#shared && value !== undefined ? canonicalJson(value) : JSON.stringify(value);
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

import { sha256 } from "@cm/object-model";

/** Beginnings of ids that this store keeps for its own documents. Objects that begin so get another name. */
const reserved = /^(?:rev|blob|gone|request|kept|object|in):/;

/**
 * How documents are called in XTDB. Objects keep their id where it can be taken for nothing else. A namespace stands in
 * front of every id, so that several stores on one node never meet.
 */
export class Names {
  readonly namespace: string;
  readonly #prefix: string;

  constructor(namespace: string) {
    this.namespace = namespace;
    this.#prefix = namespace === "" ? "" : `in:${namespace}:`;
  }

  object(id: string): string {
    return `${this.#prefix}${reserved.test(id) ? `object:${id}` : id}`;
  }

  /** The newest write of an object, and what was erased of it. */
  revision(id: string): string {
    return `${this.#prefix}rev:${id}`;
  }

  /** A long text. */
  text(digest: string): string {
    return `${this.#prefix}blob:${digest}`;
  }

  /** Says that a text was erased. */
  gone(digest: string): string {
    return `${this.#prefix}gone:${this.tag(digest)}`;
  }

  /** Finds the writes of a text in this namespace. A part of a hash of the hash, which does not tell the text's own. */
  tag(digest: string): string {
    return sha256(`${this.namespace}|${digest}`).slice(0, 24);
  }

  /** A commit. `key` is a request's hash, or random. */
  request(key: string): string {
    return `${this.#prefix}request:${key}`;
  }

  /** A version that outlived the erasure of others of its object, by its place among the object's writes. */
  kept(id: string, n: number): string {
    return `${this.#prefix}kept:${n}:${id}`;
  }

  /** The namespace of a source, as `find` looks for it. Its type's length keeps apart what would read alike. */
  placeKey(type: string, namespace: string): string {
    return this.key("place", `${type.length}|${type}|${namespace}`);
  }

  /** Says in which order an object stands whose versions were stored without saying so. */
  order(id: string): string {
    return `${this.#prefix}object:order:${id}`;
  }

  /** Says that every object stands in an order. */
  get ordered(): string {
    return `${this.#prefix}object:ordered`;
  }

  /** The beginning of a value of `cm/order`: what is asked, within this namespace, in few characters. */
  orderTag(kind: string, value: string): string {
    return sha256(JSON.stringify([this.namespace, kind, value])).slice(0, 16);
  }

  /** All ids of commits lie between these two. */
  get requests(): readonly [from: string, to: string] {
    return [`${this.#prefix}request:`, `${this.#prefix}request;`];
  }

  /** All type keys lie between these two. */
  get typeKeys(): readonly [from: string, to: string] {
    return [this.key("type", ""), `${this.namespace}|type}`];
  }

  /** A value of `cm/keys`: what `find` looks for, within this namespace. */
  key(kind: string, value: string): string {
    return `${this.namespace}|${kind}|${value}`;
  }
}

/** Request ids may be any text, also such as cannot be sent; JSON escapes what is no Unicode. */
export function requestKey(requestId: string): string {
  return sha256(JSON.stringify(requestId)).slice(0, 40);
}

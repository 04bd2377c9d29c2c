import {
  canonicalJson,
  type DocumentType,
  defined,
  type IndexEntry,
  indexEntryOf,
  indexKeysOf,
  limits as modelLimits,
  type ObjectDocument,
  type ObjectStore,
} from "@cm/object-model";
import { limits } from "../limits.ts";
import { readReadable } from "../path/read-readable.ts";
import type { Finding } from "./finding.ts";

/** What an object is listed by, and a question that it meets. */
interface Listed extends IndexEntry {
  readonly where: Readonly<Record<string, unknown>>;
}

/**
 * Holds the lists that a type declares, newest first and by its fields, against the documents. A store keeps them beside what
 * has a hash, so that only such questions tell whether one leaves an object out, or has it where it does not belong.
 */
export class ListCheck {
  readonly #store: ObjectStore;
  readonly #type: DocumentType;
  readonly #listed = new Map<string, Listed>();

  constructor(store: ObjectStore, type: DocumentType) {
    this.#store = store;
    this.#type = type;
  }

  async take(ids: readonly string[]): Promise<void> {
    if (this.#type.indexed !== undefined)
      for (const [id, listed] of await this.#read(ids)) this.#listed.set(id, listed);
  }

  async *findings(): AsyncGenerator<Finding> {
    const wrong = new Set<string>();
    if (this.#type.indexed?.newest !== undefined) await this.#checkOrder(wrong);
    const alike = Map.groupBy(this.#listed, ([, { where }]) => canonicalJson({ ...where }));
    for (const objects of alike.values()) await this.#checkAnswer(objects, wrong);
    // Of what was written meanwhile an answer may say something else than the document that was read before.
    const now = await this.#read([...wrong]);
    for (const [id, listed] of now) {
      if (canonicalJson({ ...listed }) !== canonicalJson({ ...this.#listed.get(id) })) continue;
      const detail = "a list by its fields does not have it, or not where it belongs";
      yield { id, type: this.#type.type, problem: "store", detail };
    }
  }

  /** What cannot be read has a finding of its own. */
  async #read(ids: readonly string[]): Promise<ReadonlyMap<string, Listed>> {
    const { found } = await readReadable(this.#store, ids);
    return new Map(
      [...found].flatMap(([id, { document }]) => {
        const listed = document && listedBy(document, this.#type);
        return listed === undefined ? [] : [[id, listed] as const];
      }),
    );
  }

  async #checkOrder(wrong: Set<string>): Promise<void> {
    const left = new Set(this.#listed.keys());
    let least = Number.POSITIVE_INFINITY;
    for await (const id of this.#answer({ order: "newest" })) {
      const { newest = least } = this.#listed.get(id) ?? {};
      if (newest > least) wrong.add(id);
      least = newest;
      left.delete(id);
    }
    for (const id of left) wrong.add(id);
  }

  /** @param objects that say the same: once all of them came, the rest of the answer is not asked for */
  async #checkAnswer(objects: readonly (readonly [string, Listed])[], wrong: Set<string>): Promise<void> {
    const left = new Set(objects.map(([id]) => id));
    const where = objects[0]?.[1].where ?? {};
    const asked = indexKeysOf(where);
    for await (const id of this.#answer({ where })) {
      const keys = this.#listed.get(id)?.keys;
      if (keys !== undefined && !asked.every((key) => keys.includes(key))) wrong.add(id);
      left.delete(id);
      if (left.size === 0) return;
    }
    for (const id of left) wrong.add(id);
  }

  async *#answer({ where, order = "id" }: { readonly where?: Listed["where"]; readonly order?: "id" | "newest" }) {
    const filter = { type: this.#type.type, ...defined({ where }) };
    let cursor: string | undefined;
    do {
      const page = { order, limit: limits.objectsPerPage, ...defined({ cursor }) };
      const { versions, next } = await this.#store.find(filter, page);
      for (const { id } of versions) yield id;
      cursor = next;
    } while (cursor !== undefined);
  }
}

/** Asked for are as many of its fields as one question may have. */
function listedBy(document: ObjectDocument, type: DocumentType): Listed | undefined {
  const entry = indexEntryOf(document, type);
  if (entry === undefined) return undefined;
  const where: Record<string, unknown> = {};
  for (const field of type.indexed?.fields ?? []) {
    const more = { ...where, ...defined({ [field]: document[field] }) };
    if (indexKeysOf(more).length <= modelLimits.whereKeysMax) Object.assign(where, more);
  }
  return { ...entry, where };
}

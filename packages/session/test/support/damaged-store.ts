import {
  everyVersion,
  type ListedVersion,
  type ObjectDocument,
  type ObjectStore,
  type StoredVersion,
} from "@cm/object-model";
import type { Random } from "@cm/testkit";

/** Fields that no hash covers: they may be wrong unnoticed (SSOT 2.4). */
const uncovered = ["source_hash", "moved_from"];

/** Every version of every object of some types, with its document. */
export async function versionsOf(
  store: ObjectStore,
  types: Iterable<{ readonly type: string }>,
): Promise<readonly StoredVersion[]> {
  const versions: StoredVersion[] = [];
  for (const { type } of types) {
    for await (const { id } of everyVersion((page) => store.find({ type }, page))) {
      for await (const version of everyVersion((page) => store.history(id, { ...page, documents: true }))) {
        if (version.document !== undefined)
          versions.push({ ...version, document: version.document, erased: undefined });
      }
    }
  }
  return versions;
}

/** A store in which some versions say something else, by `{id} {token}`, for every caller. */
export function damagedStore(store: ObjectStore, damaged: ReadonlyMap<string, ObjectDocument>): ObjectStore {
  const altered = <V extends ListedVersion | StoredVersion>(version: V): V => {
    const document = damaged.get(keyOf(version));
    return document === undefined || version.document === undefined ? version : { ...version, document };
  };
  return {
    contract: "object-store/1",
    commit: (writes, options) => store.commit(writes, options),
    erase: (ids, reason) => store.erase(ids, reason),
    async getMany(ids, at) {
      const found = await store.getMany(ids, at);
      return new Map([...found].map(([id, version]) => [id, altered(version)]));
    },
    async history(id, page) {
      const read = await store.history(id, page);
      return { ...read, versions: read.versions.map(altered) };
    },
    async find(filter, page) {
      const read = await store.find(filter, page);
      return { ...read, versions: read.versions.map(altered) };
    },
  };
}

export const keyOf = ({ id, token }: Pick<StoredVersion, "id" | "token">): string => `${id} ${token}`;

/** The document with one field changed, at any depth, or with one more. */
export function withOneChange(
  document: ObjectDocument,
  random: Random,
): { readonly field: string; readonly document: ObjectDocument } {
  const fields = [...Object.keys(document).filter((name) => !uncovered.includes(name)), "unknown_field"];
  const field = random.pick(fields);
  return { field, document: { ...document, [field]: changed(document[field], random) } };
}

/** Another value of the same kind, so that a schema alone would often not notice. */
function changed(value: unknown, random: Random): unknown {
  if (typeof value === "string") return changedText(value);
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  if (Array.isArray(value) && value.length > 0) {
    const place = random.below(value.length);
    return random.chance(0.3) ? value.toSpliced(place, 1) : value.with(place, changed(value[place], random));
  }
  if (typeof value === "object" && value !== null && Object.keys(value).length > 0) {
    const key = random.pick(Object.keys(value));
    return { ...value, [key]: changed(Reflect.get(value, key), random) };
  }
  return value === null ? "x" : value === undefined ? 1 : Array.isArray(value) ? ["x"] : { x: 1 };
}

/** Hexadecimal text stays such. */
function changedText(text: string): string {
  if (text === "") return "x";
  return `${text.slice(0, -1)}${text.endsWith("0") ? "1" : "0"}`;
}

import { everyVersion, type ObjectStore, type StoredVersion } from "@cm/object-model";
import { readReadable } from "../history/read-readable.ts";
import { limits } from "../limits.ts";
import type { Finding, Named } from "./finding.ts";
import type { Reference } from "./references.ts";
import type { ToCome } from "./unfinished-imports.ts";

/**
 * What documents name must be there, in the version they name, or have been erased. A finding stands under the document
 * that names what is missing; what was erased, under its own id.
 * @param toCome what an import that was cut writes later
 */
export async function* checkReferences(
  store: ObjectStore,
  named: readonly Named[],
  toCome?: ToCome,
): AsyncGenerator<Finding> {
  for (let from = 0; from < named.length; from += limits.referencesPerRead) {
    const part = named.slice(from, from + limits.referencesPerRead);
    const ids = [...new Set(part.map(({ reference }) => reference.id))];
    const { found, unreadable } = await readReadable(store, ids);
    for (const { by, reference } of part) {
      // A damaged one is named where it is met itself; here it counts as there.
      if (unreadable.has(reference.id)) continue;
      const state = await stateOf(store, reference, found.get(reference.id));
      if (state === "erased") yield { id: reference.id, problem: "erased", detail: "named by others, erased" };
      if (state !== "missing" || toCome?.has({ by, reference }) === true) continue;
      const what = reference.contentHash === undefined ? "" : "the named version of ";
      yield { id: by.id, type: by.type, problem: "missing", detail: `${what}${reference.id} is not there` };
    }
  }
}

async function stateOf(
  store: ObjectStore,
  { id, contentHash }: Reference,
  newest: Pick<StoredVersion, "contentHash" | "erased"> | undefined,
): Promise<"there" | "erased" | "missing"> {
  const isNamed = newest !== undefined && (contentHash === undefined || newest.contentHash === contentHash);
  if (isNamed) return newest.erased === undefined ? "there" : "erased";
  for await (const version of everyVersion((page) => store.history(id, page))) {
    if (contentHash === undefined || version.contentHash === contentHash)
      return version.erased === undefined ? "there" : "erased";
  }
  return "missing";
}

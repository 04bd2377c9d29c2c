import type { ListedVersion, ObjectStore } from "./contract.ts";
import { everyVersion } from "./every-version.ts";

/**
 * The first version of an object that has no times of its own, such as a step: what is written over it later stands in
 * its place, and this one still says when it was written. Undefined for an object that was never written.
 */
export async function firstWrite(store: Pick<ObjectStore, "history">, id: string): Promise<ListedVersion | undefined> {
  let first: ListedVersion | undefined;
  for await (const version of everyVersion((page) => store.history(id, page))) first = version;
  return first;
}

import { everyVersion, type ListedVersion, type ObjectStore } from "@cm/object-model";
import { limits } from "../../limits.ts";

/** All versions of an object with their documents, newest first. */
export async function versionsOf(store: ObjectStore, id: string): Promise<readonly ListedVersion[]> {
  const versions: ListedVersion[] = [];
  const page = { documents: true, limit: limits.versionsPerPage };
  for await (const version of everyVersion((cursor) => store.history(id, { ...page, ...cursor })))
    versions.push(version);
  return versions;
}

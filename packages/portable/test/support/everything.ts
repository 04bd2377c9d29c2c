import { everyVersion, type Filter, type ObjectStore } from "@cm/object-model";

/** The content hashes of all versions of all objects of a session, and of all files and attachments, oldest first. */
export async function everythingIn(
  store: ObjectStore,
  ...sessions: readonly string[]
): Promise<ReadonlyMap<string, readonly string[]>> {
  const filters: Filter[] = [...sessions.map((session) => ({ session })), { type: "file" }, { type: "attachment" }];
  const objects = new Map<string, readonly string[]>();
  for (const filter of filters) {
    for await (const { id } of everyVersion((page) => store.find(filter, page))) {
      const hashes: string[] = [];
      for await (const { contentHash } of everyVersion((page) => store.history(id, page))) hashes.unshift(contentHash);
      objects.set(id, hashes);
    }
  }
  return objects;
}

import {
  CmError,
  type DocumentTypes,
  type HistoryPage,
  type ListedVersion,
  type ObjectStore,
  type StoredVersion,
} from "@cm/object-model";
import { checkVersion } from "./check-version.ts";

/**
 * A store that hands out only documents that are what their hashes say. What builds on several documents can then trust
 * each of them; the damaged one is named where it is met itself.
 */
export function checkedStore(store: ObjectStore, types: DocumentTypes): Pick<ObjectStore, "getMany" | "history"> {
  const check = <V extends ListedVersion | StoredVersion>(version: V): V => {
    if (version.document === undefined) return version;
    const { finding } = checkVersion(version, types);
    if (finding === undefined) return version;
    throw new CmError("store/corrupt", `The document ${finding.id} is damaged; restore it from a copy.`, {
      id: finding.id,
    });
  };
  return {
    async getMany(ids, at) {
      const found = await store.getMany(ids, at);
      for (const version of found.values()) check(version);
      return found;
    },
    async history(id, page): Promise<HistoryPage> {
      const read = await store.history(id, page);
      for (const version of read.versions) check(version);
      return read;
    },
  };
}

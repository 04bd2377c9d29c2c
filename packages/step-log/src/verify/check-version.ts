import {
  attachmentBytes,
  CmError,
  type DocumentTypes,
  type HistoryPage,
  isCmError,
  isDocumentOf,
  type ListedVersion,
  type ObjectDocument,
  type ObjectStore,
  parseDocument,
  type StoredVersion,
} from "@cm/object-model";
import type { Finding } from "./finding.ts";

/** A version's document where it is what its hashes say, else what is wrong. Erased versions have neither. */
interface CheckedVersion {
  readonly document?: ObjectDocument;
  readonly finding?: Finding;
}

/** Computes everything about one version again. Pure. */
export function checkVersion({ document: stored, ...stamp }: ListedVersion, types: DocumentTypes): CheckedVersion {
  const { id, type, contentHash, erased } = stamp;
  if (erased !== undefined) return {};
  if (stored === undefined) return { finding: { id, type, problem: "unreadable", detail: "the document is missing" } };
  try {
    const document = parseDocument(stored, types);
    const wrong = [
      ...(document["xt/id"] === id ? [] : ["id"]),
      ...(document.type === type ? [] : ["type"]),
      ...(document.content_hash === contentHash ? [] : ["content hash"]),
      ...([stamp.validTime, stamp.transactionTime].some((time) => Number.isNaN(time.getTime())) ? ["time"] : []),
    ];
    if (wrong.length > 0) {
      return { finding: { id, type, problem: "stamp", detail: `the store's ${wrong.join(" and ")} is another one` } };
    }
    if (isDocumentOf(document, "attachment")) attachmentBytes(document);
    return { document };
  } catch (error) {
    if (!isCmError(error)) throw error;
    if (error.code === "store/corrupt") {
      return { finding: { id, type, problem: "attachment", detail: "the bytes do not have the hash in the id" } };
    }
    const fields = Array.isArray(error.data.fields) ? ` (${error.data.fields.join(", ")})` : "";
    return { finding: { id, type, problem: "invalid", detail: `${error.code}${fields}` } };
  }
}

/**
 * A store that hands out only documents that are what their hashes say. What builds on several documents can then trust
 * each of them; the damaged one is named where it is met itself.
 */
export function checkedStore(store: ObjectStore, types: DocumentTypes): ObjectStore {
  const check = <V extends ListedVersion | StoredVersion>(version: V): V => {
    if (version.document === undefined) return version;
    const { finding } = checkVersion(version, types);
    if (finding === undefined) return version;
    throw new CmError("store/corrupt", `The document ${finding.id} is damaged; restore it from a copy.`, {
      id: finding.id,
    });
  };
  return {
    contract: store.contract,
    commit: store.commit.bind(store),
    find: store.find.bind(store),
    erase: store.erase.bind(store),
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

interface SoundVersion {
  readonly version: Omit<ListedVersion, "document">;
  readonly document: ObjectDocument | undefined;
}

/**
 * What is to be told of a step that stands in the place of another one. Its own hash says that it is as it was written;
 * the chain vouches for the other one, whose stamp is here unless the session was carried. Pure.
 * @param versions of one step, newest first, each with its document where that is sound
 */
export function checkReplacement(versions: readonly SoundVersion[]): readonly Finding[] {
  const newest = versions[0];
  const { document } = newest ?? {};
  if (newest === undefined || !isDocumentOf(document, "step")) return [];
  const { "xt/id": id, type, replaces } = document;
  if (replaces === undefined) return [];
  const about = { id, type };
  const first = versions.at(-1)?.version;
  const isOther =
    first !== undefined && first.token !== newest.version.token && first.contentHash !== replaces.content_hash;
  if (isOther) return [{ ...about, problem: "head", detail: "it replaces another step than the one that was written" }];
  const older = versions.slice(1).filter(({ version }) => version.erased === undefined);
  if (older.length > 0) {
    const detail = `an erasure of its text was not finished: ${older.length} of its versions still have it; erase it again`;
    return [{ ...about, problem: "unfinished", detail }];
  }
  const detail = "typed text was erased: it was replaced by a step without, which the chain cannot vouch for";
  return [{ ...about, problem: "erased", detail }];
}

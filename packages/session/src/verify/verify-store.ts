import {
  coreDocumentTypes,
  type DocumentTypes,
  everyVersion,
  isCmError,
  type ObjectDocument,
  type ObjectStore,
  sessionOfReference,
} from "@cm/object-model";
import { limits } from "../limits.ts";
import { checkReferences } from "./check-references.ts";
import { checkSession } from "./check-session.ts";
import { checkVersion } from "./check-version.ts";
import { checkedStore } from "./checked-store.ts";
import type { Finding } from "./finding.ts";

export interface VerifyOptions {
  /** Object types of the store. Default: the core types. */
  readonly types?: DocumentTypes;
  readonly onProgress?: (progress: VerifyProgress) => void;
}

export interface VerifyProgress {
  readonly type: string;
  /** Objects that were checked, of all types so far. */
  readonly checked: number;
}

/**
 * Computes everything in a store again: each version of each object by its schema and hashes, what it names, and each
 * session's heads and keyframes from its steps. Every damaged document is named, and the walk goes on. It reads what
 * `find` lists: an object whose newest version was erased is met only where others name it.
 * @throws CmError what the store throws, but `store/corrupt`, which is a finding
 */
export async function* verifyStore(store: ObjectStore, options: VerifyOptions = {}): AsyncGenerator<Finding> {
  const { types = coreDocumentTypes, onProgress } = options;
  const checked: ObjectStore = { ...withoutWrites(store), ...checkedStore(store, types) };
  const told = new Set<string>();
  let count = 0;
  for (const { type } of types) {
    for await (const ids of idsOf(store, type)) {
      const documents: ObjectDocument[] = [];
      for (const id of ids) yield* checkObject(store, { id, type, types }, documents);
      for await (const finding of checkReferences(store, documents)) {
        if (finding.problem === "erased" && told.has(finding.id)) continue;
        if (finding.problem === "erased") told.add(finding.id);
        yield finding;
      }
      if (type === "session") for (const id of ids) yield* checkSession(checked, sessionOfReference(id));
      count += ids.length;
      onProgress?.({ type, checked: count });
    }
  }
}

async function* idsOf(store: ObjectStore, type: string): AsyncGenerator<readonly string[]> {
  let cursor: string | undefined;
  do {
    const page = { limit: limits.objectsPerPage, ...(cursor === undefined ? {} : { cursor }) };
    const { versions, next } = await store.find({ type }, page);
    yield versions.map(({ id }) => id);
    cursor = next;
  } while (cursor !== undefined);
}

/** All versions of one object. Sound documents are added to `documents`. */
async function* checkObject(
  store: ObjectStore,
  { id, type, types }: { readonly id: string; readonly type: string; readonly types: DocumentTypes },
  documents: ObjectDocument[],
): AsyncGenerator<Finding> {
  const page = { documents: true, limit: limits.versionsPerPage };
  try {
    for await (const version of everyVersion((cursor) => store.history(id, { ...page, ...cursor }))) {
      const { finding, document } = checkVersion(version, types);
      if (finding !== undefined) yield { ...finding, id };
      if (document !== undefined) documents.push(document);
    }
  } catch (error) {
    if (!isCmError(error, "store/corrupt")) throw error;
    yield { id, type, problem: "unreadable", detail: error.message };
  }
}

function withoutWrites(store: ObjectStore): ObjectStore {
  return {
    contract: store.contract,
    getMany: store.getMany.bind(store),
    commit: store.commit.bind(store),
    history: store.history.bind(store),
    find: store.find.bind(store),
    erase: store.erase.bind(store),
  };
}

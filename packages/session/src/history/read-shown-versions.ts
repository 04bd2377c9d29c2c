import {
  type DocumentOf,
  everyVersion,
  isDocumentOf,
  type ObjectDocument,
  type ObjectStore,
  type StoredVersion,
} from "@cm/object-model";
import { limits } from "../limits.ts";
import { readInParts } from "./read-in-parts.ts";
import type { PathStep } from "./read-path.ts";
import { momentsOf, type ShownVersion } from "./shown-versions.ts";

/** Documents of files by id and content hash; undefined: wanted, and erased. */
export type FileVersions = ReadonlyMap<string, ReadonlyMap<string, DocumentOf<"file"> | undefined>>;

/**
 * Reads file versions that a path's steps name by content hash, whoever wrote others since. The hash decides, so it is
 * only a matter of speed where they are looked for: first in what was `found` already, then at the few steps at which
 * many of them held, then in the histories of the files that are left.
 */
export async function readShownVersions(
  store: ObjectStore,
  path: readonly PathStep[],
  {
    versions,
    found,
  }: { readonly versions: readonly ShownVersion[]; readonly found: ReadonlyMap<string, StoredVersion> },
): Promise<FileVersions> {
  const shown = new Map<string, Map<string, DocumentOf<"file"> | undefined>>();
  for (const { file, contentHash } of versions) {
    const wanted = shown.get(file);
    if (wanted === undefined) shown.set(file, new Map([[contentHash, undefined]]));
    else wanted.set(contentHash, undefined);
  }
  const take = (id: string, contentHash: string, document: ObjectDocument | undefined) => {
    const wanted = shown.get(id);
    if (document === undefined || wanted?.has(contentHash) !== true || !isDocumentOf(document, "file")) return;
    if (wanted.get(contentHash) === undefined) wanted.set(contentHash, document);
  };
  const missing = () => versions.filter(({ file, contentHash }) => shown.get(file)?.get(contentHash) === undefined);
  for (const [id, { contentHash, document }] of found) take(id, contentHash, document);
  await readAtMoments(store, path, { versions: missing(), take });
  await readHistories(store, { versions: missing(), take });
  return shown;
}

interface Search {
  readonly versions: readonly ShownVersion[];
  readonly take: (id: string, contentHash: string, document: ObjectDocument | undefined) => void;
}

async function readAtMoments(store: ObjectStore, path: readonly PathStep[], { versions, take }: Search): Promise<void> {
  const moments = momentsOf(versions).slice(0, limits.momentsPerLoadMax);
  await Promise.all(
    moments.map(async ({ place, versions: held }) => {
      // A version by itself is found as fast in its history, and there for certain.
      if (held.length < 2) return;
      const found = await readInParts(store, [...new Set(held.map(({ file }) => file))], path[place]?.basis);
      for (const [id, { contentHash, document }] of found) take(id, contentHash, document);
    }),
  );
}

async function readHistories(store: ObjectStore, { versions, take }: Search): Promise<void> {
  const wanted = new Map<string, Set<string>>();
  for (const { file, contentHash } of versions) wanted.set(file, (wanted.get(file) ?? new Set()).add(contentHash));
  const left = [...wanted];
  for (let from = 0; from < left.length; from += limits.historiesAtOnceMax) {
    await Promise.all(
      left.slice(from, from + limits.historiesAtOnceMax).map(async ([id, hashes]) => {
        for await (const { contentHash, document } of everyVersion((page) =>
          store.history(id, { ...page, documents: true }),
        )) {
          if (document === undefined || !hashes.delete(contentHash)) continue;
          take(id, contentHash, document);
          if (hashes.size === 0) break;
        }
      }),
    );
  }
}

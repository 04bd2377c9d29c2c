import {
  type DocumentOf,
  isCmError,
  isDocumentOf,
  limits as modelLimits,
  type ObjectStore,
  type VersionToken,
  type Write,
} from "@cm/object-model";

/** What the store has of a file, and its newest write. */
export interface StoredFile {
  readonly stored: DocumentOf<"file"> | undefined;
  readonly token: VersionToken | undefined;
}

export async function readStoredFiles(store: ObjectStore, ids: readonly string[]): Promise<(id: string) => StoredFile> {
  const versions = await store.getMany(ids);
  return (id) => {
    const version = versions.get(id);
    const document = version?.document;
    const isFile = isDocumentOf(document, "file");
    return { stored: isFile ? document : undefined, token: version?.token };
  };
}

interface ToWrite {
  readonly write: Write | undefined;
}

/**
 * Writes file versions in as few commits as they fit in. Gives the ids of those that were not written, because another
 * client wrote the file since it was read: it must be looked at again.
 */
export async function commitFiles(store: ObjectStore, files: readonly ToWrite[]): Promise<ReadonlySet<string>> {
  const writes = files.flatMap(({ write }) => write ?? []);
  const lost = new Set<string>();
  for (let from = 0; from < writes.length; from += modelLimits.writesPerCommitMax) {
    await commitPart(store, writes.slice(from, from + modelLimits.writesPerCommitMax), lost);
  }
  return lost;
}

/** A commit is all or nothing: without those that were lost, the others are tried again. */
async function commitPart(store: ObjectStore, part: readonly Write[], lost: Set<string>): Promise<void> {
  for (let writes = part; writes.length > 0; ) {
    try {
      await store.commit(writes);
      return;
    } catch (error) {
      if (!isCmError(error, "store/conflict")) throw error;
      for (const id of error.data.ids as readonly string[]) lost.add(id);
      const left = writes.filter(({ document }) => !lost.has(document["xt/id"]));
      if (left.length === writes.length) throw error;
      writes = left;
    }
  }
}

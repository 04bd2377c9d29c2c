import {
  type CmError,
  type DocumentOf,
  isCmError,
  isDocumentOf,
  limits as modelLimits,
  type ObjectStore,
  type VersionToken,
  type Write,
} from "@cm/object-model";

/** What the store has of a file, and the write that made it. */
export interface StoredFile {
  readonly stored: DocumentOf<"file"> | undefined;
  readonly token: VersionToken | undefined;
}

/** The newest write of each object that was not as expected, as a refused commit tells it. */
export type NewestWrites = ReadonlyMap<string, VersionToken>;

export function newestWrites({ data }: Pick<CmError, "data">): NewestWrites {
  const tokens = data.actual as readonly VersionToken[];
  return new Map((data.ids as readonly string[]).map((id, place) => [id, tokens[place] ?? ""]));
}

/**
 * Files of which the newest write is not the version that holds: one that came later and holds from before, as an import
 * brings them. Only a refused commit tells of it, and what is written next is expected on that write.
 */
export class HiddenWrites {
  readonly #newest = new Map<string, { readonly holding: Write["expect"]; readonly newest: VersionToken }>();

  /** @param refused what was to be written */
  learn(refused: readonly (Write | undefined)[], newest: NewestWrites): void {
    for (const { document, expect } of refused.filter((write) => write !== undefined)) {
      const id = document["xt/id"];
      const token = newest.get(id);
      const known = this.#newest.get(id);
      const holding = known !== undefined && known.newest === expect ? known.holding : expect;
      if (token !== undefined) this.#newest.set(id, { holding, newest: token });
    }
  }

  /** What a write of the file is to expect. @param token the write that made the version that holds, as it was read now */
  expected(id: string, token: VersionToken | undefined): Write["expect"] {
    const holding = token ?? "absent";
    const known = this.#newest.get(id);
    return known?.holding === holding ? known.newest : holding;
  }
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
export async function commitFiles(store: ObjectStore, files: readonly ToWrite[]): Promise<NewestWrites> {
  const writes = files.flatMap(({ write }) => write ?? []);
  const lost = new Map<string, VersionToken>();
  for (let from = 0; from < writes.length; from += modelLimits.writesPerCommitMax) {
    await commitPart(store, writes.slice(from, from + modelLimits.writesPerCommitMax), lost);
  }
  return lost;
}

/** A commit is all or nothing: without those that were lost, the others are tried again. */
async function commitPart(store: ObjectStore, part: readonly Write[], lost: Map<string, VersionToken>): Promise<void> {
  for (let writes = part; writes.length > 0; ) {
    try {
      await store.commit(writes);
      return;
    } catch (error) {
      if (!isCmError(error, "store/conflict")) throw error;
      for (const [id, token] of newestWrites(error)) lost.set(id, token);
      const left = writes.filter(({ document }) => !lost.has(document["xt/id"]));
      if (left.length === writes.length) throw error;
      writes = left;
    }
  }
}

import {
  type DocumentOf,
  everyVersion,
  firstChain,
  isDocumentOf,
  nextChain,
  type ObjectStore,
  type StepAddress,
  sessionObjectId,
} from "@cm/object-model";

type Head = DocumentOf<"session">;

/** The parents of erased steps. A session's head is read once, however many of its steps were erased. */
export class ErasedParents {
  readonly #store: ObjectStore;
  readonly #heads = new Map<string, Promise<readonly Head[]>>();

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  /**
   * The step that an erased one continued. Its parent went with its document, but each version of the session's head
   * has a chain value, and only the parent's makes the erased step's together with its hash. Where the head's versions
   * do not tell (they were erased, or the parent is another session's), it is the step before, as it nearly always is; of
   * a fork's first step the one that it was forked at.
   */
  async of({ session, n }: StepAddress, contentHash: string): Promise<StepAddress | null> {
    const known = this.#heads.get(session) ?? headVersions(this.#store, session);
    this.#heads.set(session, known);
    const heads = await known;
    const forkedFrom = heads.find(({ forked_from }) => forked_from !== undefined)?.forked_from ?? null;
    const before: StepAddress | null = n === 0 ? forkedFrom : { session, n: n - 1 };
    const isOf = ({ head }: Head, step: StepAddress | null) => head?.session === step?.session && head?.n === step?.n;
    const own = heads.find((head) => isOf(head, { session, n }));
    if (own === undefined) return before;
    const continues = ({ chain }: Pick<Head, "chain">) => nextChain(chain, contentHash) === own.chain;
    const likely = heads.find((head) => isOf(head, before));
    if (likely !== undefined && continues(likely)) return before;
    if (continues({ chain: firstChain(session) })) return null;
    return heads.find((head) => head.head !== null && continues(head))?.head ?? before;
  }
}

async function headVersions(store: ObjectStore, session: string): Promise<readonly Head[]> {
  const heads: Head[] = [];
  const id = sessionObjectId(session);
  for await (const { document } of everyVersion((page) => store.history(id, { ...page, documents: true }))) {
    if (document !== undefined && isDocumentOf(document, "session")) heads.push(document);
  }
  return heads;
}

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

/**
 * The step that an erased one continued. Its parent went with its document, but each version of the session's head
 * has a chain value, and only the parent's makes the erased step's together with its hash. Where the head's versions
 * do not tell (they were erased, or the parent is another session's), it is the step before, as it nearly always is.
 */
export async function parentOfErased(
  store: ObjectStore,
  { session, n }: StepAddress,
  contentHash: string,
): Promise<StepAddress | null> {
  const before: StepAddress | null = n === 0 ? null : { session, n: n - 1 };
  const heads = await headVersions(store, session);
  const own = heads.find(({ head }) => head?.session === session && head.n === n);
  if (own === undefined) return before;
  const continues = (chain: string) => nextChain(chain, contentHash) === own.chain;
  if (continues(firstChain(session))) return null;
  return heads.find(({ head, chain }) => head !== null && continues(chain))?.head ?? before;
}

async function headVersions(store: ObjectStore, session: string): Promise<readonly DocumentOf<"session">[]> {
  const heads: DocumentOf<"session">[] = [];
  const id = sessionObjectId(session);
  for await (const { document } of everyVersion((page) => store.history(id, { ...page, documents: true }))) {
    if (document !== undefined && isDocumentOf(document, "session")) heads.push(document);
  }
  return heads;
}

import {
  isCmError,
  isDocumentOf,
  journalId,
  journalPartId,
  type ObjectDocument,
  type ObjectStore,
  type StepAddress,
  sealDocument,
  stepId,
  type VersionName,
  type Write,
} from "@cm/object-model";
import { readInParts } from "@cm/step-log/load";
import { commitUntilAnswered, retryOnConflict } from "../../step/contention.ts";
import { type ErasedOfSession, erasedBySession, withoutErased } from "./journal-texts.ts";
import { versionsOf } from "./versions-of.ts";

interface Erasing {
  /** Of objects that go as a whole. */
  readonly ids: readonly string[];
  readonly steps: readonly StepAddress[];
  /** Whose texts of the steps go. */
  readonly roles: ReadonlySet<string>;
  readonly requestId: () => string;
}

/**
 * Of sessions that came from files, writes the parts of the file anew that say something of what is erased, and gives the
 * versions that still do. It comes before the erasure: what the texts are is read from the objects that have them.
 */
export async function replaceJournalParts(
  store: ObjectStore,
  { ids, steps, roles, requestId }: Erasing,
): Promise<readonly VersionName[]> {
  const addresses = new Map(steps.map((address) => [stepId(address), address]));
  const documents = await readableDocuments(store, ids);
  for (const id of addresses.keys())
    for (const { document } of await versionsOf(store, id)) if (document !== undefined) documents.push(document);
  const lost: VersionName[] = [];
  for (const [session, erased] of erasedBySession(documents, roles, addresses)) {
    const journal = (await store.getMany([journalId(session)])).get(journalId(session))?.document;
    const count = isDocumentOf(journal, "journal") ? journal.part_count : 0;
    for (let n = 0; n < count; n += 1) {
      const part = { session, n, erased, requestId };
      lost.push(...(await retryOnConflict({ session }, () => replacePart(store, part))));
    }
  }
  return lost;
}

/**
 * A damaged object may be erased, which is what lets its session go on; but where a session came from a file, what the object said
 * may stand there, too, and nothing tells where.
 * @throws CmError `store/corrupt` there
 */
async function readableDocuments(store: ObjectStore, ids: readonly string[]): Promise<ObjectDocument[]> {
  // A copy has its text, which may be found to be damaged only when it is looked at.
  const readAll = async (some: readonly string[]): Promise<ObjectDocument[]> =>
    [...(await readInParts(store, some)).values()].flatMap(({ document }) => (document ? [{ ...document }] : []));
  try {
    return await readAll(ids);
  } catch (error) {
    const { versions } = await store.find({ type: "journal" }, { limit: 1 });
    if (!isCmError(error, "store/corrupt") || versions.length > 0) throw error;
    if (ids.length === 1) return [];
    const each: ObjectDocument[] = [];
    for (const id of ids) each.push(...(await readableDocuments(store, [id])));
    return each;
  }
}

interface Part extends StepAddress {
  readonly erased: ErasedOfSession;
  readonly requestId: () => string;
}

async function replacePart(
  store: ObjectStore,
  { session, n, erased, requestId }: Part,
): Promise<readonly VersionName[]> {
  const id = journalPartId(session, n);
  const [newest, ...older] = await versionsOf(store, id);
  if (newest === undefined || !isDocumentOf(newest.document, "journal_part")) return [];
  // An older version is what an erasure left that was cut off before its end.
  const lost = older.filter(({ document }) => document !== undefined).map(({ token }) => ({ id, version: token }));
  const content = withoutErased(newest.document.content, erased);
  if (content === undefined) return lost;
  const { session_ref, entry_count } = newest.document;
  const payload = { content, session_ref, n, entry_count };
  const write: Write = { document: sealDocument({ type: "journal_part", id }, payload), expect: newest.token };
  await commitUntilAnswered(store, [write], requestId());
  return [...lost, { id, version: newest.token }];
}

import type { RawObject } from "@cm/journal";
import {
  chatId,
  type DocumentOf,
  isDocumentOf,
  journalPartId,
  type ObjectDocument,
  type ObjectStore,
  sessionObjectId,
} from "@cm/object-model";
import { sessionDamaged } from "../errors.ts";
import { readEntry, referredIds } from "../journal/entry-text.ts";
import type { GoneTexts, ReadDocument } from "../journal/gone-texts.ts";
import { entriesOfPart } from "../journal/journal-documents.ts";
import { readDocuments } from "./read-documents.ts";

export interface ImportedEntry {
  readonly entry: RawObject;
  /** The number of the step whose answer or result it is. */
  readonly step: number | undefined;
}

/**
 * The entries of the file that a session was imported from, as that had them.
 * @param gone counts what they cannot have any more
 * @throws CmError `exchange/damaged`
 */
export async function* importedEntries(
  store: ObjectStore,
  { session, parts, gone }: { readonly session: string; readonly parts: number; readonly gone: GoneTexts },
): AsyncGenerator<ImportedEntry> {
  for (let n = 0; n < parts; n += 1) {
    const part = (await store.getMany([journalPartId(session, n)])).get(journalPartId(session, n))?.document;
    if (!isDocumentOf(part, "journal_part")) throw sessionDamaged(session);
    const entries = entriesIn(part, session);
    const ids = new Set<string>();
    for (const { entry } of entries) referredIds(entry, ids);
    const documents = await ownDocuments(store, session, [...ids]);
    for (const { entry, step } of entries) yield { entry: readEntry(entry, documents, gone), step };
  }
}

function entriesIn(part: DocumentOf<"journal_part">, session: string): ReturnType<typeof entriesOfPart> {
  try {
    return entriesOfPart(part);
  } catch {
    throw sessionDamaged(session);
  }
}

/** A part may have come in a bundle of a stranger: it refers to nothing of other sessions. */
async function ownDocuments(
  store: ObjectStore,
  session: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ReadDocument>> {
  const owners: readonly unknown[] = [sessionObjectId(session), chatId(session)];
  const isOwn = ({ type, session_ref, chat_ref }: ObjectDocument) =>
    type === "attachment" || owners.includes(session_ref ?? chat_ref);
  return new Map(
    [...(await readDocuments(store, ids))].filter(([, document]) => document === "missing" || isOwn(document)),
  );
}

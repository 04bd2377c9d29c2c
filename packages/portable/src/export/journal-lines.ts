import { type Basis, isDocumentOf, journalId, journalPartId, type ObjectStore } from "@cm/object-model";
import { lineOf, type ObjectLine } from "./object-lines.ts";

/** What the store keeps of the file that a session came from: its entries part by part, a few of them in one read. */
export async function* journalLines(store: ObjectStore, session: string, basis: Basis): AsyncGenerator<ObjectLine> {
  const id = journalId(session);
  const journal = (await store.getMany([id], basis)).get(id);
  if (journal === undefined || !isDocumentOf(journal.document, "journal")) return;
  for (let n = 0; n < journal.document.part_count; n += 1) {
    const partId = journalPartId(session, n);
    const part = (await store.getMany([partId], basis)).get(partId);
    yield (part === undefined ? undefined : lineOf(part)) ?? { id: partId, kind: "erased", of: "journal_part" };
  }
  yield { at: journal.validTime.getTime(), document: journal.document, kind: "version" };
}

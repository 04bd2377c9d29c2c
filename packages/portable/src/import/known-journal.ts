import { isDocumentOf, journalId, type ObjectStore } from "@cm/object-model";
import { limits } from "../limits.ts";
import type { Inventory } from "../verify/inventory.ts";

/**
 * Lines of a session's file that the store has. Its steps are those of the bundle, so its parts are, too: a part that
 * differs is one of which text was erased, here or there, and stays. A file that grew brings the parts behind them.
 */
export async function knownJournal(store: ObjectStore, { session, versions }: Inventory): Promise<readonly number[]> {
  const parts = versions.filter(({ type }) => type === "journal_part");
  const journal = versions.find(({ type }) => type === "journal");
  if (journal === undefined) return [];
  const known: number[] = [];
  for (let from = 0; from < parts.length; from += limits.smallObjectsPerReadMax) {
    const asked = parts.slice(from, from + limits.smallObjectsPerReadMax);
    const ids = asked.map(({ id }) => id);
    const found = await store.getMany(ids, undefined, { texts: "later" });
    for (const { id, line } of asked) if (found.has(id)) known.push(line);
  }
  const id = journalId(session);
  const stored = (await store.getMany([id])).get(id);
  const isNewer = isDocumentOf(stored?.document, "journal") && stored.document.part_count > parts.length;
  return isNewer || stored?.contentHash === journal.contentHash ? [...known, journal.line] : known;
}

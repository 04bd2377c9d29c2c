import { isCmError, isDocumentOf, journalId, type ObjectStore, sessionObjectId } from "@cm/object-model";
import { exchangeError } from "../errors.ts";
import { readJournal, type StoredJournal } from "../journal/journal-documents.ts";
import type { ImportSessionOptions, ImportSessionReceipt } from "./import-options.ts";
import { openSource } from "./open-source.ts";
import { SessionImport } from "./session-import.ts";
import type { SessionSource } from "./session-source.ts";

/**
 * Brings a session file into a store as a session, branch by branch. A file that grew adds what is new. Some steps go
 * together into one commit; what was committed stays where the import fails or ends, and the same call goes on behind it.
 * @throws CmError of `ExchangeErrorCode` or `RecordingErrorCode`; what the store throws
 */
export async function importSession(
  store: ObjectStore,
  path: string,
  options: ImportSessionOptions = {},
): Promise<ImportSessionReceipt> {
  const source = await openSource(path, options.recorded);
  const before = await knownJournal(store, source);
  const run = await SessionImport.start(store, { source, before, options });
  try {
    return await run.toEnd();
  } catch (error) {
    await run.abandon();
    throw isCmError(error, "store/limit") || isCmError(error, "model/limit")
      ? exchangeError("exchange/damaged", "An entry of it is larger than a store takes; the entries before are there.")
      : error;
  }
}

/** What an earlier import left. @throws CmError `exchange/taken`, `exchange/went-on` only once there is more to add */
async function knownJournal(store: ObjectStore, { session }: SessionSource): Promise<StoredJournal | undefined> {
  const found = await store.getMany([sessionObjectId(session), journalId(session)]);
  const head = found.get(sessionObjectId(session));
  const journal = found.get(journalId(session))?.document;
  if (head !== undefined && !isDocumentOf(journal, "journal")) {
    const message = `The store has a session ${session} that came from no file; it was left as it is.`;
    throw exchangeError("exchange/taken", message, { session });
  }
  return readJournal(store, session);
}

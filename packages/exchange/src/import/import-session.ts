import type { FileTouch } from "@cm/context-log";
import { isCmError, isDocumentOf, journalId, type ObjectStore, type Source, sessionObjectId } from "@cm/object-model";
import type { Redactor } from "@cm/session";
import { exchangeError } from "../errors.ts";
import { readJournal, type StoredJournal } from "../journal/journal-documents.ts";
import { openSource } from "./open-source.ts";
import { SessionImport } from "./session-import.ts";
import type { SessionSource } from "./session-source.ts";

/** The files of an imported session: who would look at them, and what a recorded path is called in the store. */
export interface ImportedFiles {
  readonly source: Source;
  /** Undefined for what is no file to follow. @param path absolute, as the agent saw it */
  bind(path: string, of: RecordedPlace): Promise<FileTouch["binding"] | undefined>;
}

/** Where a session was recorded. */
export interface RecordedPlace {
  readonly session: string;
  readonly cwd: string | undefined;
}

export interface ImportSessionOptions {
  /** Which session of a file that holds many, as opencode's database does. Default: the one that went on last. */
  readonly recorded?: string;
  /** Runs over every text before it is stored. Default: none. */
  readonly redact?: Redactor;
  /** Default: files are not kept. */
  readonly files?: ImportedFiles;
  /** Told after each commit how much of the file is in the store. */
  readonly onProgress?: (progress: { readonly steps: number; readonly entries: number }) => void;
  /** Lowers `limits.batchCharsMax`. */
  readonly batchCharsMax?: number;
  /** What was committed stays, and the next import goes on behind it. */
  readonly signal?: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

export interface ImportSessionReceipt {
  readonly session: string;
  /** The agent whose file it is, such as `claude-code`. */
  readonly agent: string;
  /**
   * `unchanged`: the store has all of it. `empty`: the file has nothing but its first line. `recorded`: the file belongs to a session that this store recorded while it
   * ran, `session`; nothing was written.
   */
  readonly outcome: "imported" | "extended" | "unchanged" | "empty" | "recorded";
  /** Steps and entries that were added. */
  readonly steps: number;
  readonly entries: number;
  readonly redactions: number;
  readonly warnings: readonly string[];
}

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

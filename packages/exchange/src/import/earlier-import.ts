import { isDocumentOf, leaseId, type ObjectStore, sessionObjectId } from "@cm/object-model";
import { leftByImports } from "@cm/step-log/verify";
import { exchangeError } from "../errors.ts";
import type { StoredJournal } from "../journal/journal-documents.ts";
import { type EntryMark, knownPieces, marksIn } from "./entry-marks.ts";
import type { SessionSource } from "./session-source.ts";

/** What an earlier import of a file left in the store, beside the file as it is now. */
export class EarlierImport {
  /** Entries of the file that the store has, from the first one on. */
  readonly known: number;
  readonly #store: ObjectStore;
  readonly #source: SessionSource;
  readonly #journal: StoredJournal | undefined;
  /** Of the entries that the store has; where the file's entries are not kept. */
  readonly #marks: readonly EntryMark[];

  /** @param journal undefined where there was no import */
  constructor(store: ObjectStore, source: SessionSource, journal: StoredJournal | undefined) {
    this.#store = store;
    this.#source = source;
    this.#journal = journal;
    const { marks, entry_count: count = 0 } = journal?.document ?? {};
    this.#marks = marks === undefined ? [] : marksIn(marks);
    // A file that was written anew is followed from where it is another one.
    this.known = marks !== undefined && Array.isArray(source.pieces) ? knownPieces(source.pieces, this.#marks) : count;
  }

  /** The number of the step that an entry of the store began. */
  stepAt(place: number): number | undefined {
    return this.#marks[place]?.step;
  }

  /**
   * Checks that what is new can go behind what is known.
   * @param sum of the entries that are known
   * @returns from when the newest of what the store has of it is; undefined without an earlier import
   * @throws CmError `exchange/changed`, `exchange/went-on`
   */
  async checkGrown(sum: string): Promise<Date | undefined> {
    if (this.#journal === undefined) return undefined;
    const { session } = this.#source;
    const { source_sum: sumThen, next_step: nextStep } = this.#journal.document;
    if (this.#isRewritten ? this.known === 0 : sum !== sumThen) throw changed(session);
    const head = (await this.#store.getMany([sessionObjectId(session)])).get(sessionObjectId(session));
    if (!isDocumentOf(head?.document, "session") || head.document.next_step !== nextStep) throw wentOn(session);
    if (this.#isRewritten && isOlder(this.#source, head.validTime)) throw changed(session);
    // Entries without a step between them have no newer head.
    return new Date(Math.max(this.#journal.validTime.getTime(), head.validTime.getTime()));
  }

  /** Checks a file of which the store has all. @param sum of all entries @throws CmError `exchange/changed` */
  checkUnchanged(sum: string): void {
    // An older copy of the file says nothing that the store has not.
    if (this.#journal === undefined || this.#isRewritten || sum === this.#journal.document.source_sum) return;
    throw changed(this.#source.session);
  }

  /** Whether an import wrote all entries and did not come to close the session. */
  async wasCut(): Promise<boolean> {
    const { session } = this.#source;
    const lease = (await this.#store.getMany([leaseId(session)])).get(leaseId(session))?.document;
    return isDocumentOf(lease, "lease") && (await leftByImports(this.#store, [lease])).length > 0;
  }

  /** Entries that the store has are no longer in the file: an answer has grown, or the agent went back and on. */
  get #isRewritten(): boolean {
    return this.#marks.length > this.known;
  }
}

/** Whether all that a file says was said before a time. */
function isOlder({ pieces }: SessionSource, time: Date): boolean {
  const times = Array.isArray(pieces) ? pieces.flatMap(({ at }) => at ?? []) : [];
  return times.length > 0 && times.every((at) => at < time);
}

export const changed = (session: string) =>
  exchangeError(
    "exchange/changed",
    `The file no longer begins as it did when it was imported as session ${session}; nothing was added.`,
    { session },
  );

const wentOn = (session: string) =>
  exchangeError(
    "exchange/went-on",
    `Session ${session} went on in the store since its file was imported, and so did the file; nothing was added.`,
    { session },
  );

import { isAbsolute, resolve } from "node:path";
import { writeBreadcrumb } from "../discovery/terminal-breadcrumb.ts";
import { dialectOf, dialects } from "../format/dialect.ts";
import type { FileEntry, SessionEntry, SessionHeader } from "../format/session-entry.ts";
import { isRawObject } from "../json-lines.ts";
import { resolveBlobs } from "../load/resolve-blobs.ts";
import { addToIndex, indexEntries } from "../tree/entry-index.ts";
import { prepareForPersistence } from "../write/prepare-entry.ts";
import { type SessionContent, SessionFile } from "../write/session-file.ts";
import { SessionEntries } from "./session-entries.ts";
import type { SessionPlace } from "./session-place.ts";

/** What `follow` needs to know of a file. */
interface FollowedFile {
  readonly cwd: string;
  /** The header that stands in the file. */
  readonly written?: SessionHeader;
}

/**
 * The entries of a session, and the file that follows them: nothing is written before the first message of an assistant,
 * then line by line. Which file it is, `SessionManager` says.
 */
export class FiledEntries extends SessionEntries {
  protected readonly place: SessionPlace;
  #path: string | undefined;
  #file: SessionFile | undefined;
  /** Files that were left and still write. */
  #left: Promise<void> = Promise.resolve();
  #hasAnswer = false;
  /** Whether the file has all entries, so that the next is one more line. */
  #written = false;

  protected constructor(place: SessionPlace, header: SessionHeader) {
    super(header);
    this.place = place;
    if (place.dialect !== undefined) this.dialect = dialects[place.dialect];
  }

  /** Undefined for a session in memory. It may not be on disk yet. */
  getSessionFile(): string | undefined {
    return this.#path;
  }

  /** Writes the whole file again, after entries were changed in place. Nothing where nothing was written yet. */
  async rewriteEntries(): Promise<void> {
    if (!this.#written) return;
    this.#file?.rewrite(this.#content());
    await this.#file?.settled();
  }

  /** Writes the session now, without waiting for an answer; from then on entry by entry. */
  async ensureOnDisk(): Promise<void> {
    if (this.#file === undefined) return;
    if (!this.#written) this.#file.rewrite(this.#content());
    this.#written = true;
    await this.#file.settled();
  }

  /** Waits until what was written survives a crash of the machine. */
  async flush(): Promise<void> {
    await this.#left;
    await this.#file?.flush();
  }

  /** Writes what waits, and closes the file. @throws CmError `journal/write-failed`, after closing */
  async close(): Promise<void> {
    await this.#left;
    await this.#file?.close();
  }

  protected override beforeAppend(): void {
    this.#file?.throwIfFailed();
  }

  protected override appended(entry: SessionEntry): void {
    this.#hasAnswer ||= isAnswer(entry);
    if (this.#written) this.#file?.append(entry, this.#content());
    else if (this.#hasAnswer && this.#file !== undefined) {
      this.#file.rewrite(this.#content());
      this.#written = true;
    }
  }

  /** Other entries take the place of those that are here; the file does not follow before `follow`. */
  protected use(entries: SessionEntry[], header: SessionHeader | undefined): void {
    this.entries = entries;
    this.index = indexEntries(entries);
    this.#hasAnswer = entries.some(isAnswer);
    this.dialect = dialects[this.place.dialect ?? (header === undefined ? "omp" : dialectOf(header, entries))];
  }

  /** From now on the entries go into this file, which has none of them yet. */
  protected follow(path: string, { cwd, written }: FollowedFile): void {
    const { storage, onError } = this.place;
    this.#path = isAbsolute(path) ? path : resolve(path);
    this.#file = new SessionFile({
      storage,
      path: this.#path,
      toLine: (entry) => this.#toLine(entry),
      onError,
      onForeign: (entries) => this.#adopt(entries),
      onHeader: (header) => {
        if (this.header.id === header.id) this.header = header;
      },
      header: written,
    });
    this.#written = false;
    this.#left = Promise.all([this.#left, writeBreadcrumb(this.place, cwd, this.#path)]).then(() => undefined);
  }

  /** The same for a file that was read: without an answer the entries wait, as they do in a new session. */
  protected followRead(path: string, cwd: string): void {
    this.follow(path, { cwd, written: this.header });
    this.#written = this.#hasAnswer;
  }

  /** Writes the whole file at once where there is an answer; without one it waits as any file does. */
  protected writeAtOnce(cwd: string): void {
    if (!this.#hasAnswer || this.#path === undefined || this.#file === undefined) return;
    const lines = [this.header, ...this.entries].map((entry) => `${this.#toLine(entry)}\n`);
    this.place.storage.writeTextSync(this.#path, lines.join(""));
    this.follow(this.#path, { cwd, written: this.header });
    this.#written = true;
  }

  protected async fillBlobs(entries: readonly FileEntry[]): Promise<void> {
    const missing = await resolveBlobs(entries, this.place.blobs);
    for (const name of missing) this.place.onWarning({ kind: "missing-blob", name });
  }

  /** The file gets no further entries. Its error was told, and stays with it. */
  protected async leave(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close().catch(() => undefined);
  }

  protected leaveLater(): void {
    const leaving = this.leave();
    this.#left = Promise.all([this.#left, leaving]).then(() => undefined);
  }

  /** What is in memory now: entries that come before a queued rewrite begins have lines of their own behind it. */
  #content(): () => SessionContent {
    const { header, entries } = this;
    const count = entries.length;
    return () => ({ header, entries: entries.slice(0, count) });
  }

  #toLine(entry: FileEntry): string {
    if (!this.dialect.shortens) return JSON.stringify(entry);
    return JSON.stringify(prepareForPersistence(entry, (bytes) => this.place.blobs.putSync(bytes).ref));
  }

  /** Entries of another process come into memory; the leaf stays. */
  #adopt(entries: readonly SessionEntry[]): void {
    const { leafId } = this.index;
    for (const entry of entries) {
      if (this.index.byId.has(entry.id)) continue;
      this.entries.push(entry);
      addToIndex(this.index, entry);
    }
    this.index.leafId = leafId;
  }
}

function isAnswer(entry: SessionEntry): boolean {
  return entry.type === "message" && isRawObject(entry.message) && entry.message.role === "assistant";
}

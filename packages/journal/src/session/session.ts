import { isAbsolute, join, resolve } from "node:path";
import { listAllSessions, listSessions, type SessionInfo } from "../discovery/list-sessions.ts";
import { readPrefix } from "../discovery/listed-prefix.ts";
import { findMostRecentSession } from "../discovery/recent-sessions.ts";
import { defaultSessionDir, sessionFileName } from "../discovery/session-folders.ts";
import { readBreadcrumb, writeBreadcrumb } from "../discovery/terminal-breadcrumb.ts";
import { dialectOf, dialects } from "../format/dialect.ts";
import type { FileEntry, SessionEntry, SessionHeader } from "../format/session-entry.ts";
import { isRawObject } from "../json-lines.ts";
import { loadEntriesFromFile } from "../load/load-session.ts";
import { migrateSessionEntries } from "../load/migrate-session.ts";
import { openSessionFile } from "../load/open-session-file.ts";
import { resolveBlobs } from "../load/resolve-blobs.ts";
import { pathWithoutLabels, withLabels } from "../tree/branched-path.ts";
import { addToIndex, indexEntries } from "../tree/entry-index.ts";
import { prepareForPersistence } from "../write/prepare-entry.ts";
import { type SessionContent, SessionFile } from "../write/session-file.ts";
import { type NewSessionOptions, newHeader } from "./new-header.ts";
import { SessionEntries } from "./session-entries.ts";
import type { SessionOptions } from "./session-options.ts";
import { type SessionPlace, sessionPlace } from "./session-place.ts";
import { toolCallsIn } from "./tool-calls.ts";

/**
 * A session and its file: the tree in memory changes at once, the file follows. Nothing is written before the first
 * message of an assistant. The first error of writing stays: every later call that would write throws it.
 */
export class SessionManager extends SessionEntries {
  readonly #place: SessionPlace;
  readonly #persist: boolean;
  #cwd: string;
  #sessionDir: string;
  #path: string | undefined;
  #file: SessionFile | undefined;
  /** Files that were left and still write. */
  #left: Promise<void> = Promise.resolve();
  #hasAnswer = false;
  /** Whether the file has all entries, so that the next is one more line. */
  #written = false;

  private constructor(place: SessionPlace, cwd: string, sessionDir: string | undefined) {
    super(newHeader(place, cwd, {}));
    this.#place = place;
    this.#cwd = cwd;
    this.#persist = sessionDir !== undefined;
    this.#sessionDir = sessionDir ?? "";
    if (place.dialect !== undefined) this.dialect = dialects[place.dialect];
  }

  /** A new session in the folder of a working directory. */
  static create(cwd: string, sessionDir?: string, options: SessionOptions = {}): SessionManager {
    const place = sessionPlace(options);
    const session = new SessionManager(place, resolve(cwd), sessionDir ?? defaultSessionDir(cwd, place.agentDir));
    session.#start({});
    return session;
  }

  /** A session in a file. One that is not there, or is empty, begins there. */
  static async open(path: string, sessionDir?: string, options: SessionOptions = {}): Promise<SessionManager> {
    const place = sessionPlace(options);
    const header = (await readPrefix(place.storage, resolve(path)))?.header;
    const cwd = typeof header?.cwd === "string" ? header.cwd : process.cwd();
    const session = new SessionManager(place, cwd, sessionDir ?? resolve(path, ".."));
    await session.setSessionFile(path);
    return session;
  }

  /** The session that this terminal had last, else the newest of the folder, else a new one. */
  static async continueRecent(cwd: string, sessionDir?: string, options: SessionOptions = {}): Promise<SessionManager> {
    const place = sessionPlace(options);
    const dir = sessionDir ?? defaultSessionDir(cwd, place.agentDir);
    const recent =
      (await readBreadcrumb(place, cwd, place.storage)) ?? (await findMostRecentSession(dir, place.storage));
    const session = new SessionManager(place, resolve(cwd), dir);
    if (recent === null) session.#start({});
    else await session.setSessionFile(recent);
    return session;
  }

  /** A new session with the whole history of another file. */
  static async forkFrom(
    sourcePath: string,
    cwd: string,
    { sessionDir, ...options }: SessionOptions & { readonly sessionDir?: string } = {},
  ): Promise<SessionManager> {
    const place = sessionPlace(options);
    const session = new SessionManager(place, resolve(cwd), sessionDir ?? defaultSessionDir(cwd, place.agentDir));
    const entries = await loadEntriesFromFile(sourcePath, place.storage);
    migrateSessionEntries(entries);
    await session.#fillBlobs(entries);
    const [source] = entries as SessionHeader[];
    session.#use(entriesAfter(entries), source);
    session.#start(source === undefined ? {} : { parentSession: source.id });
    session.#keepTitle(source);
    await session.ensureOnDisk();
    return session;
  }

  /** A session in memory alone, without a file. */
  static inMemory(cwd: string = process.cwd(), options: SessionOptions = {}): SessionManager {
    return new SessionManager(sessionPlace(options), cwd, undefined);
  }

  static list(cwd: string, sessionDir?: string, options: SessionOptions = {}): Promise<SessionInfo[]> {
    return listSessions(cwd, sessionDir, sessionPlace(options));
  }

  static listAll(options: SessionOptions = {}): Promise<SessionInfo[]> {
    return listAllSessions(sessionPlace(options));
  }

  isPersisted(): boolean {
    return this.#persist;
  }

  getCwd(): string {
    return this.#cwd;
  }

  getSessionDir(): string {
    return this.#sessionDir;
  }

  /** Undefined for a session in memory. It may not be on disk yet. */
  getSessionFile(): string | undefined {
    return this.#path;
  }

  getSessionName(): string | undefined {
    if (this.dialect.nameIn === "header") return this.header.title;
    const info = this.entries.findLast((entry) => entry.type === "session_info");
    return (info?.type === "session_info" && info.name?.trim()) || undefined;
  }

  /** Goes over to another file: reads, migrates and mends it. An error of writing before is forgotten. */
  async setSessionFile(path: string): Promise<void> {
    await this.#leave();
    const file = resolve(path);
    const { storage } = this.#place;
    const fresh = newHeader(this.#place, this.#cwd, {});
    const { entries, namesBlobs } = await openSessionFile(file, { ...this.#place, storage, fresh });
    if (namesBlobs) await this.#fillBlobs(entries);
    this.header = entries[0] as SessionHeader;
    this.#use(entriesAfter(entries), this.header);
    this.#openFile(file, this.header);
    // Without an answer the entries wait, as they do in a new session.
    this.#written = this.#hasAnswer;
  }

  /** Goes over to a new session. An error of writing before is forgotten. @returns the path of its file */
  async newSession(options: NewSessionOptions = {}): Promise<string | undefined> {
    await this.#leave();
    this.#use([], undefined);
    this.#start(options);
    return this.#path;
  }

  /** Goes over to a copy of this session under another id, whose parent it is. Undefined for one in memory. */
  async fork(): Promise<{ readonly oldSessionFile: string; readonly newSessionFile: string } | undefined> {
    const oldSessionFile = this.#path;
    if (!this.#persist || oldSessionFile === undefined) return undefined;
    await this.#leave();
    const { header } = this;
    this.#start({ parentSession: header.id });
    this.#keepTitle(header);
    await this.ensureOnDisk();
    return { oldSessionFile, newSessionFile: this.#path ?? oldSessionFile };
  }

  /**
   * Goes over to a new session that has the way to one entry alone, with the labels of what is on it.
   * @returns the path of its file; undefined for a session in memory
   * @throws CmError `journal/unknown-entry`
   */
  createBranchedSession(leafId: string): string | undefined {
    this.mustHave(leafId);
    const parent = this.#path;
    const kept = withLabels(pathWithoutLabels(this.getBranch(leafId)), this.index);
    this.#leaveLater();
    this.#start(parent === undefined ? {} : { parentSession: parent });
    this.#use(kept, this.header);
    if (this.#persist && this.#hasAnswer && this.#path !== undefined) {
      const lines = [this.header, ...kept].map((entry) => `${this.#toLine(entry)}\n`);
      this.#place.storage.writeTextSync(this.#path, lines.join(""));
      this.#openFile(this.#path, this.header);
      this.#written = true;
    }
    return this.#path;
  }

  /** Names the session: in the header, which is rewritten; in Pi by one more entry. */
  async setSessionName(name: string): Promise<void> {
    this.beforeAppend();
    if (this.dialect.nameIn === "entry") {
      this.appendEntry({ type: "session_info", name: name.trim() });
      return;
    }
    this.header = { ...this.header, title: name };
    await this.rewriteEntries();
  }

  /** Writes the whole file again, after entries were changed in place. Nothing where nothing was written yet. */
  async rewriteEntries(): Promise<void> {
    if (!this.#written) return;
    this.#file?.rewrite(this.#content());
    await this.#file?.settled();
  }

  /** Changes the arguments of a call, in the newest message that has it. @returns whether there is one */
  async rewriteToolCallArguments(toolCallId: string, args: Record<string, unknown>): Promise<boolean> {
    const call = this.entries
      .toReversed()
      .flatMap(toolCallsIn)
      .find(({ id }) => id === toolCallId);
    if (call === undefined) return false;
    call.arguments = args;
    await this.rewriteEntries();
    return true;
  }

  /** Moves the session's file to the folder of another working directory. */
  async moveTo(cwd: string): Promise<void> {
    const from = this.#path;
    await this.#leave();
    const { header } = this;
    this.#cwd = resolve(cwd);
    this.header = { ...header, cwd: this.#cwd };
    if (!this.#persist || from === undefined) return;
    this.#sessionDir = defaultSessionDir(cwd, this.#place.agentDir);
    const path = join(this.#sessionDir, sessionFileName(this.header.timestamp, this.header.id));
    const { storage } = this.#place;
    storage.ensureDirSync(this.#sessionDir);
    const wasThere = await storage.exists(from);
    if (wasThere) await storage.rename(from, path);
    this.#openFile(path, header);
    this.#written = false;
    if (wasThere) await this.ensureOnDisk();
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

  /** What is in memory now: entries that come before a queued rewrite begins have lines of their own behind it. */
  #content(): () => SessionContent {
    const { header, entries } = this;
    const count = entries.length;
    return () => ({ header, entries: entries.slice(0, count) });
  }

  #start(options: NewSessionOptions): void {
    this.header = newHeader({ ...this.#place, dialect: this.dialect.name }, this.#cwd, options);
    this.#written = false;
    if (this.#persist) this.#openFile(join(this.#sessionDir, sessionFileName(this.header.timestamp, this.header.id)));
  }

  #keepTitle(from: SessionHeader | undefined): void {
    if (from?.title !== undefined) this.header = { ...this.header, title: from.title };
  }

  #use(entries: SessionEntry[], header: SessionHeader | undefined): void {
    this.entries = entries;
    this.index = indexEntries(entries);
    this.#hasAnswer = entries.some(isAnswer);
    this.dialect = dialects[this.#place.dialect ?? (header === undefined ? "omp" : dialectOf(header, entries))];
  }

  /** @param written the header that stands in the file */
  #openFile(path: string, written?: SessionHeader): void {
    const { storage, onError } = this.#place;
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
    this.#left = Promise.all([this.#left, writeBreadcrumb(this.#place, this.#cwd, this.#path)]).then(() => undefined);
  }

  #toLine(entry: FileEntry): string {
    if (!this.dialect.shortens) return JSON.stringify(entry);
    return JSON.stringify(prepareForPersistence(entry, (bytes) => this.#place.blobs.putSync(bytes).ref));
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

  async #fillBlobs(entries: readonly FileEntry[]): Promise<void> {
    const missing = await resolveBlobs(entries, this.#place.blobs);
    for (const name of missing) this.#place.onWarning({ kind: "missing-blob", name });
  }

  async #leave(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    // Its error was told, and stays with it.
    await file?.close().catch(() => undefined);
  }

  #leaveLater(): void {
    const leaving = this.#leave();
    this.#left = Promise.all([this.#left, leaving]).then(() => undefined);
  }
}

/** A second header, as in files that were joined by hand, is no entry. */
function entriesAfter(entries: readonly FileEntry[]): SessionEntry[] {
  return entries.slice(1).filter((entry): entry is SessionEntry => entry.type !== "session");
}

function isAnswer(entry: SessionEntry): boolean {
  return entry.type === "message" && isRawObject(entry.message) && entry.message.role === "assistant";
}

import { join, resolve } from "node:path";
import { listAllSessions, listSessions, type SessionInfo } from "../discovery/list-sessions.ts";
import { readPrefix } from "../discovery/listed-prefix.ts";
import { findMostRecentSession } from "../discovery/recent-sessions.ts";
import { defaultSessionDir, sessionFileName } from "../discovery/session-folders.ts";
import { readBreadcrumb } from "../discovery/terminal-breadcrumb.ts";
import type { FileEntry, SessionEntry, SessionHeader } from "../format/session-entry.ts";
import { loadEntriesFromFile } from "../load/load-session.ts";
import { migrateSessionEntries } from "../load/migrate-session.ts";
import { notASession, openSessionFile } from "../load/open-session-file.ts";
import { pathWithoutLabels, withLabels } from "../tree/branched-path.ts";
import { FiledEntries } from "./filed-entries.ts";
import { type NewSessionOptions, newHeader } from "./new-header.ts";
import type { SessionOptions } from "./session-options.ts";
import { type SessionPlace, sessionPlace } from "./session-place.ts";
import { toolCallsIn } from "./tool-calls.ts";

/**
 * A session and its file: the tree in memory changes at once, the file follows. Nothing is written before the first
 * message of an assistant. The first error of writing stays: every later call that would write throws it. What stands
 * here is how a session begins, and how it goes over to another file.
 */
export class SessionManager extends FiledEntries {
  readonly #persist: boolean;
  #cwd: string;
  #sessionDir: string;

  private constructor(place: SessionPlace, cwd: string, sessionDir: string | undefined) {
    super(place, newHeader(place, cwd, {}));
    this.#cwd = cwd;
    this.#persist = sessionDir !== undefined;
    this.#sessionDir = sessionDir ?? "";
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

  /** A new session with the whole history of another file. @throws CmError `journal/not-a-session` where that is none */
  static async forkFrom(
    sourcePath: string,
    cwd: string,
    { sessionDir, ...options }: SessionOptions & { readonly sessionDir?: string } = {},
  ): Promise<SessionManager> {
    const place = sessionPlace(options);
    const entries = await loadEntriesFromFile(sourcePath, place.storage);
    const [source] = entries as SessionHeader[];
    if (source === undefined) throw notASession(sourcePath);
    const session = new SessionManager(place, resolve(cwd), sessionDir ?? defaultSessionDir(cwd, place.agentDir));
    migrateSessionEntries(entries);
    await session.fillBlobs(entries);
    session.use(entriesAfter(entries), source);
    session.#start({ parentSession: source.id });
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

  getSessionName(): string | undefined {
    if (this.dialect.nameIn === "header") return this.header.title;
    const info = this.entries.findLast((entry) => entry.type === "session_info");
    return (info?.type === "session_info" && info.name?.trim()) || undefined;
  }

  /** Goes over to another file: reads, migrates and mends it. An error of writing before is forgotten. */
  async setSessionFile(path: string): Promise<void> {
    await this.leave();
    const file = resolve(path);
    const { storage } = this.place;
    const fresh = newHeader(this.place, this.#cwd, {});
    const { entries, namesBlobs } = await openSessionFile(file, { ...this.place, storage, fresh });
    if (namesBlobs) await this.fillBlobs(entries);
    this.header = entries[0] as SessionHeader;
    this.use(entriesAfter(entries), this.header);
    this.followRead(file, this.#cwd);
  }

  /** Goes over to a new session. An error of writing before is forgotten. @returns the path of its file */
  async newSession(options: NewSessionOptions = {}): Promise<string | undefined> {
    await this.leave();
    this.use([], undefined);
    this.#start(options);
    return this.getSessionFile();
  }

  /** Goes over to a copy of this session under another id, whose parent it is. Undefined for one in memory. */
  async fork(): Promise<{ readonly oldSessionFile: string; readonly newSessionFile: string } | undefined> {
    const oldSessionFile = this.getSessionFile();
    if (!this.#persist || oldSessionFile === undefined) return undefined;
    await this.leave();
    const { header } = this;
    this.#start({ parentSession: header.id });
    this.#keepTitle(header);
    await this.ensureOnDisk();
    return { oldSessionFile, newSessionFile: this.getSessionFile() ?? oldSessionFile };
  }

  /**
   * Goes over to a new session that has the way to one entry alone, with the labels of what is on it.
   * @returns the path of its file; undefined for a session in memory
   * @throws CmError `journal/unknown-entry`
   */
  createBranchedSession(leafId: string): string | undefined {
    this.mustHave(leafId);
    const parent = this.getSessionFile();
    const kept = withLabels(pathWithoutLabels(this.getBranch(leafId)), this.index);
    this.leaveLater();
    this.#start(parent === undefined ? {} : { parentSession: parent });
    this.use(kept, this.header);
    this.writeAtOnce(this.#cwd);
    return this.getSessionFile();
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
    const from = this.getSessionFile();
    await this.leave();
    const { header } = this;
    this.#cwd = resolve(cwd);
    this.header = { ...header, cwd: this.#cwd };
    if (!this.#persist || from === undefined) return;
    this.#sessionDir = defaultSessionDir(cwd, this.place.agentDir);
    const path = join(this.#sessionDir, sessionFileName(this.header.timestamp, this.header.id));
    const { storage } = this.place;
    storage.ensureDirSync(this.#sessionDir);
    const wasThere = await storage.exists(from);
    if (wasThere) await storage.rename(from, path);
    this.follow(path, { cwd: this.#cwd, written: header });
    if (wasThere) await this.ensureOnDisk();
  }

  #start(options: NewSessionOptions): void {
    this.header = newHeader({ ...this.place, dialect: this.dialect.name }, this.#cwd, options);
    if (!this.#persist) return;
    this.follow(join(this.#sessionDir, sessionFileName(this.header.timestamp, this.header.id)), { cwd: this.#cwd });
  }

  #keepTitle(from: SessionHeader): void {
    if (from.title !== undefined) this.header = { ...this.header, title: from.title };
  }
}

/** A second header, as in files that were joined by hand, is no entry. */
function entriesAfter(entries: readonly FileEntry[]): SessionEntry[] {
  return entries.slice(1).filter((entry): entry is SessionEntry => entry.type !== "session");
}

import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { defaultAgentDir } from "../discovery/session-folders.ts";
import { limits } from "../limits.ts";
import { schema } from "./schema.ts";
import { toSearch } from "./search-words.ts";

export interface HistoryEntry {
  readonly id: number;
  readonly prompt: string;
  /** Seconds since 1970. */
  readonly created_at: number;
  readonly cwd?: string;
}

export interface HistoryOptions {
  /** Told what went wrong: a failing prompt history stops no caller. Default: nothing is said. */
  readonly onError?: (error: Error) => void;
}

/** Prompts that a person has typed, newest first, to recall and to search. It is no part of any session. */
export class HistoryStorage {
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #recent: StatementSync;
  readonly #search: StatementSync;
  readonly #onError: (error: Error) => void;
  #last: string | undefined;
  #waiting: Promise<void> = Promise.resolve();
  #closed = false;

  private constructor(database: DatabaseSync, onError: (error: Error) => void) {
    this.#database = database;
    this.#onError = onError;
    this.#insert = database.prepare("INSERT INTO history (prompt, cwd) VALUES (?, ?)");
    const columns = "SELECT h.id, h.prompt, h.created_at, h.cwd FROM";
    const newest = "ORDER BY h.created_at DESC, h.id DESC LIMIT ?";
    this.#recent = database.prepare(`${columns} history h ${newest}`);
    this.#search = database.prepare(
      `${columns} history_fts f JOIN history h ON h.id = f.rowid WHERE history_fts MATCH ? ${newest}`,
    );
    const last = database.prepare("SELECT prompt FROM history ORDER BY id DESC LIMIT 1").get();
    this.#last = typeof last?.prompt === "string" ? last.prompt : undefined;
  }

  /**
   * Opens or makes a history.
   * @param path default: oh-my-pi's own, `~/.omp/agent/history.db`
   * @throws what SQLite throws where the file is no history
   */
  static open(
    path = join(defaultAgentDir(), "history.db"),
    { onError = () => undefined }: HistoryOptions = {},
  ): HistoryStorage {
    if (path !== ":memory:") mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const database = new DatabaseSync(path, { timeout: 5000 });
    try {
      const hadIndex = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'history_fts'").get() !== undefined;
      database.exec(schema);
      if (!hadIndex) database.exec("INSERT INTO history_fts(history_fts) VALUES ('rebuild')");
      return new HistoryStorage(database, onError);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** Notes a prompt, soon. Nothing for an empty one, and for the same one again. */
  add(prompt: string, cwd?: string): void {
    const trimmed = prompt.trim();
    if (trimmed === "" || trimmed === this.#last) return;
    this.#last = trimmed;
    this.#waiting = new Promise((resolve) => {
      setImmediate(() => {
        if (!this.#closed) this.#orNothing(() => this.#insert.run(trimmed, cwd ?? null), undefined);
        resolve();
      });
    });
  }

  /** Waits for what was added. */
  async settled(): Promise<void> {
    await this.#waiting;
  }

  /** The newest prompts. @param limit from 0 to `limits.promptsMax` */
  getRecent(limit: number): HistoryEntry[] {
    const count = countOf(limit);
    return count === 0 ? [] : this.#orNothing(() => this.#recent.all(count).map(toEntry), []);
  }

  /** The newest prompts that have words which begin with all those of the query. */
  search(query: string, limit: number): HistoryEntry[] {
    const count = countOf(limit);
    const words = toSearch(query);
    if (count === 0 || words === undefined) return [];
    return this.#orNothing(() => this.#search.all(words, count).map(toEntry), []);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    await this.#waiting;
    this.#closed = true;
    this.#database.close();
  }

  #orNothing<Value>(work: () => Value, nothing: Value): Value {
    try {
      return work();
    } catch (error) {
      this.#onError(error instanceof Error ? error : new Error(String(error)));
      return nothing;
    }
  }
}

function countOf(limit: number): number {
  return Number.isFinite(limit) ? Math.min(limits.promptsMax, Math.max(0, Math.floor(limit))) : 0;
}

function toEntry(row: Record<string, unknown>): HistoryEntry {
  const cwd = typeof row.cwd === "string" ? { cwd: row.cwd } : {};
  return { id: Number(row.id), prompt: String(row.prompt), created_at: Number(row.created_at), ...cwd };
}

import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { CmError, everyVersion, isCmError, type ObjectStore, sessionOfReference } from "@cm/object-model";
import { rendererFor } from "@cm/replay";
import { rebuildPrompts } from "@cm/step-log";
import { isDamage, verifyStore } from "@cm/step-log/verify";
import { openSqliteStore } from "@cm/store-sqlite";

/** How many requests of a session were rebuilt, and how many came out byte for byte as they were made. */
export interface SessionCheck {
  readonly database: string;
  readonly session: string;
  readonly requests: number;
  readonly equal: number;
  /** Requests that hold erased text and lack nothing else; they cannot be equal. */
  readonly erased: number;
  /** Requests of which the database has lost something. */
  readonly missing: number;
}

/** The problems of a database as such. */
export interface DatabaseProblem {
  readonly database: string;
  readonly problem: string;
  /** Nothing is lost: an import or an erasure was cut. */
  readonly isUnfinished?: true;
}

/**
 * Verifies some databases and rebuilds every request of every session in them. The hash of a request with erased text
 * tells nothing of the rest of its text, so that only the documents can: each is held against its own hash. A database
 * without a session is a problem: nothing was checked.
 * @throws CmError `check/not-found`
 */
export async function* checkDatabases(paths: readonly string[]): AsyncGenerator<SessionCheck | DatabaseProblem> {
  for (const path of paths.flatMap(databasesAt)) {
    // Nothing is written; but only a connection that may write takes SQLite's companion files away again.
    const store = openSqliteStore({ path });
    try {
      let sessions = 0;
      let unfinished = 0;
      for await (const finding of verifyStore(store)) {
        const { id, problem, detail } = finding;
        if (problem === "unfinished") unfinished += 1;
        if (problem === "unfinished") yield { database: path, problem: detail, isUnfinished: true };
        else if (problem === "store") yield { database: path, problem: detail };
        else if (isDamage(finding)) yield { database: path, problem: `${problem} ${id}: ${detail}` };
      }
      for await (const session of sessionsOf(store)) {
        sessions += 1;
        try {
          yield await checkSession(store, path, session);
        } catch (error) {
          if (!isCmError(error, "store/corrupt") && !isCmError(error, "session/damaged")) throw error;
          yield { database: path, problem: `session ${session} cannot be rebuilt: ${error.message}` };
        }
      }
      if (sessions + unfinished === 0) yield { database: path, problem: "it has no session, so nothing was checked" };
    } finally {
      await store.close();
    }
  }
}

async function checkSession(store: ObjectStore, database: string, session: string): Promise<SessionCheck> {
  const count = { requests: 0, equal: 0, erased: 0, missing: 0 };
  for await (const { hash, recordedHash, complete, missing } of rebuildPrompts(store, session, rendererFor)) {
    count.requests += 1;
    if (hash === recordedHash) count.equal += 1;
    else if (missing.length > 0) count.missing += 1;
    else if (!complete) count.erased += 1;
  }
  return { database, session, ...count };
}

async function* sessionsOf(store: ObjectStore): AsyncGenerator<string> {
  for await (const { id } of everyVersion((page) => store.find({ type: "session" }, page)))
    yield sessionOfReference(id);
}

/** A database file, or all of a folder. */
function databasesAt(path: string): readonly string[] {
  if (!existsSync(path))
    throw new CmError(
      "check/not-found",
      `There is no file or folder ${path}; name a database or the folder of a replay.`,
    );
  if (!statSync(path).isDirectory()) return [path];
  const databases = readdirSync(path).filter((name) => name.endsWith(".sqlite"));
  if (databases.length === 0) throw new CmError("check/not-found", `There is no database (.sqlite) in ${path}.`);
  return databases.sort().map((name) => join(path, name));
}

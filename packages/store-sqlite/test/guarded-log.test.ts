// Verifies: record 0081: with a SQLite whose checkpoints may lose a commit, none runs while another connection can commit.
import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished, vi } from "vitest";
import { Connection } from "../src/connection.ts";
import { GuardedLog } from "../src/guarded-log.ts";
import { freshPath } from "./support/folder.ts";

const checkpointPages = 20;
const frameBytes = 4_120;

/** A file in the mode of a store, whose log is kept as with an old SQLite. */
function guarded(timeoutMs = 20) {
  const path = freshPath();
  const database = new DatabaseSync(path);
  database.exec("PRAGMA journal_mode = WAL; CREATE TABLE t(a)");
  const openAnother = () => new DatabaseSync(path);
  const log = new GuardedLog(database, { path, timeoutMs, checkpointPages, openAnother });
  const connection = new Connection(database, log);
  const other = openAnother();
  other.exec("PRAGMA busy_timeout = 0; PRAGMA wal_autocheckpoint = 0");
  onTestFinished(() => {
    other.close();
    connection.close();
  });
  const write = (text = "text".repeat(2_000)) =>
    connection.write(() => connection.run("INSERT INTO t VALUES (?)", text));
  return { database, log, connection, other, write, logBytes: () => statSync(`${path}-wal`).size };
}

/** Calls `during` while a checkpoint of the connection runs; gives how often that was. */
function whileMoving(database: DatabaseSync, during: () => void): () => number {
  const { prepare } = database;
  let moves = 0;
  vi.spyOn(database, "prepare").mockImplementation((sql) => {
    if (sql.startsWith("PRAGMA wal_checkpoint")) {
      moves += 1;
      during();
    }
    return prepare.call(database, sql);
  });
  return () => moves;
}

it("allows no commit while the log goes into the file", () => {
  const { database, other, write } = guarded();
  const locked: unknown[] = [];
  const moves = whileMoving(database, () => {
    try {
      other.exec("BEGIN IMMEDIATE; ROLLBACK");
    } catch (error) {
      locked.push(error);
    }
  });

  for (let n = 0; n < 40; n += 1) write();

  expect(moves()).toBeGreaterThan(2);
  expect(locked).toHaveLength(moves());
  other.exec("BEGIN IMMEDIATE; ROLLBACK");
});

it("keeps the log as short as SQLite would, however much is written", () => {
  const { write, logBytes } = guarded();
  const lengths = Array.from({ length: 200 }, () => {
    write();
    return logBytes();
  });

  expect(Math.max(...lengths)).toBeLessThan((checkpointPages + 10) * frameBytes);
});

it("leaves the log as it is while others read an old state, and moves it when they are gone", () => {
  const { database, other, write, logBytes } = guarded();
  write();
  other.exec("BEGIN");
  other.prepare("SELECT count(*) FROM t").get();
  const moves = whileMoving(database, () => {});

  for (let n = 0; n < 40; n += 1) write();
  const tries = moves();
  const longest = logBytes();
  other.exec("COMMIT");
  for (let n = 0; n < 10; n += 1) write();

  expect(longest).toBeGreaterThan(40 * 2 * frameBytes);
  expect(tries).toBeLessThan(25);
  expect(logBytes()).toBeLessThan(longest / 2);
});

it("a commit stands where another connection has the lock when its log should move", () => {
  const { log, other, connection, write } = guarded();
  for (let n = 0; n < 5; n += 1) write();
  write("x".repeat(checkpointPages * 2 * frameBytes));
  other.exec("BEGIN IMMEDIATE");

  log.afterCommit();

  other.exec("ROLLBACK");
  expect(connection.pragma("SELECT count(*) FROM t")).toBe(6);
});

it("empties the log but for one page, which says nothing of what was there", () => {
  const { connection, write, logBytes } = guarded();
  write();
  connection.exec("PRAGMA user_version = 7");

  expect(connection.emptyLog()).toBe(true);

  expect(logBytes()).toBe(32 + frameBytes);
  expect(connection.pragma("PRAGMA user_version")).toBe(7);
  expect(connection.emptyLog()).toBe(true);
});

it.each([
  ["reads the old state", "BEGIN; SELECT count(*) FROM t"],
  ["has the write lock", "BEGIN IMMEDIATE"],
])("does not empty the log while another connection %s, and says so", (_who, sql) => {
  const { connection, other, write, logBytes } = guarded();
  const reader = other;
  write();
  for (const part of sql.split("; ")) reader.prepare(part).all();
  if (sql !== "BEGIN IMMEDIATE") write();

  let emptied: unknown;
  try {
    emptied = connection.emptyLog();
  } catch {
    emptied = "locked";
  }

  expect(emptied).toBe(sql === "BEGIN IMMEDIATE" ? "locked" : false);
  expect(logBytes()).toBeGreaterThan(32 + frameBytes);
});

import { decodeContent } from "@cm/object-model/stored-form";
import type { Bytes, Connection } from "./connection.ts";
import { isDamage } from "./errors.ts";
import { storeLimits } from "./limits.ts";
import { schemaVersion2 } from "./schema.ts";
import { foldText } from "./trigrams.ts";

/**
 * The index of texts: of each blob the set of its folded text's trigrams, under its bid. It holds no positions, so it
 * narrows a search down and no more; every answer is checked on the text. Blobs come in by the order of their bids, and
 * the last one that came in says how far the index reaches.
 */
export interface Reach {
  /** Blobs up to this one are in the index. */
  readonly through: number;
}

type BlobRow = { bid: number; size: number; enc: number; data: Bytes };

/** Stands for a text that is too long to be worth its place: a search always looks at those. Of private characters. */
const unindexed = "\u{f0000}\u{f0000}\u{f0000}";

// The tokenizer drops what it has for a row from a table of its own, by row id.
const selectReach = "SELECT coalesce(max(id), 0) AS through FROM text_index_docsize";
const countBehind = "SELECT count(*) AS blobs FROM (SELECT 1 FROM blob WHERE bid > ? LIMIT ?)";
const selectBehind = "SELECT bid, size, enc, data FROM blob WHERE bid > ? ORDER BY bid LIMIT ?";
const selectBidsBehind = "SELECT bid FROM blob WHERE bid > ? ORDER BY bid LIMIT ?";
const insertText = "INSERT INTO text_index(rowid, text) VALUES (?, ?)";
const selectMatches = "SELECT rowid AS bid FROM text_index WHERE text_index MATCH ? LIMIT ?";
const selectIndexed = "SELECT 1 FROM text_index_docsize WHERE id = ?";
const countIndexed = "SELECT count(*) AS texts FROM (SELECT 1 FROM text_index_docsize LIMIT ?)";
const deleteText = "DELETE FROM text_index WHERE rowid = ?";
const mergeAll = "INSERT INTO text_index(text_index) VALUES ('optimize')";
const check = "INSERT INTO text_index(text_index) VALUES ('integrity-check')";
const deleteAll = "INSERT INTO text_index(text_index) VALUES ('delete-all')";

export function reachOf(connection: Connection): Reach {
  return { through: connection.get<{ through: number }>(selectReach)?.through ?? 0 };
}

/** A search looks at some new texts itself; only when they are more does it write. */
export function isBehind(connection: Connection): boolean {
  const { through } = reachOf(connection);
  const count = connection.get<{ blobs: number }>(countBehind, through, storeLimits.searchBehindTextsMax + 1);
  return (count?.blobs ?? 0) > storeLimits.searchBehindTextsMax;
}

/**
 * Takes the next texts into the index, under the write lock for a bounded time.
 * @returns whether there are more
 */
export function indexMore(connection: Connection): boolean {
  return connection.write(() => {
    const rows = connection.all<BlobRow>(selectBehind, reachOf(connection).through, storeLimits.indexTextsMax);
    let bytes = 0;
    for (const row of rows) {
      connection.run(insertText, row.bid, indexedTextOf(row));
      bytes += row.size > storeLimits.indexedTextBytesMax ? 0 : row.size;
      if (bytes >= storeLimits.indexBytesMax) return true;
    }
    return rows.length === storeLimits.indexTextsMax;
  });
}

/**
 * Takes erased texts out of the index, under the write lock. A row that is only deleted leaves its trigrams until some
 * merge, so all is merged here. Of a damaged index nothing can be taken out, and it goes as a whole.
 */
export function forgetTexts(connection: Connection, bids: ReadonlySet<number>, mergedMax: number): void {
  try {
    takeOut(connection, bids, mergedMax);
  } catch (error) {
    if (!isDamage(error)) throw error;
    remakeIndex(connection);
  }
}

function takeOut(connection: Connection, bids: ReadonlySet<number>, mergedMax: number): void {
  const indexed = [...bids].filter((bid) => connection.get(selectIndexed, bid) !== undefined);
  if (indexed.length === 0) return;
  if ((connection.get<{ texts: number }>(countIndexed, mergedMax + 1)?.texts ?? 0) > mergedMax) {
    connection.run(deleteAll);
    return;
  }
  for (const bid of indexed) connection.run(deleteText, bid);
  connection.run(mergeAll);
}

/** @throws an error of SQLite where the index is damaged */
export function checkIndex(connection: Connection): void {
  connection.run(check);
}

/** The next searches fill it again. */
export function remakeIndex(connection: Connection): void {
  connection.exec(`DROP TABLE text_index; ${schemaVersion2}`);
}

/** The query as the index takes it, with the texts that are always looked at. */
export function matchOf(query: string): string {
  return `(${query}) OR "${unindexed}"`;
}

/** The blobs that may hold the piece, where they are few; undefined where they are many. */
export function fewCandidates(connection: Connection, query: string): readonly number[] | undefined {
  const most = storeLimits.searchCandidatesMax;
  const matches = connection.all<{ bid: number }>(selectMatches, matchOf(query), most + 1);
  const behind = connection.all<{ bid: number }>(selectBidsBehind, reachOf(connection).through, most + 1);
  const bids = [...matches, ...behind].map(({ bid }) => bid);
  return bids.length > most ? undefined : bids;
}

/** One that cannot be decoded is looked at by every search, which then names its object. */
function indexedTextOf(row: BlobRow): string {
  if (row.size > storeLimits.indexedTextBytesMax) return unindexed;
  try {
    return foldText(decodeContent(row));
  } catch {
    return unindexed;
  }
}

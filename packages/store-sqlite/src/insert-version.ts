import { type CheckedWrite, contentDigestOf, indexedFieldsOf, type ObjectDocument, type Write } from "@cm/object-model";
import type { Connection } from "./connection.ts";
import { type EncodedContent, encodeContent } from "./content-codec.ts";
import { indexFields } from "./field-index.ts";
import type { OpenTransaction } from "./moment.ts";
import { addObject } from "./objects.ts";
import { toOrderedText } from "./ordered-text.ts";
import { type EncodedPayload, encodePayload } from "./payload-codec.ts";

/** A write with everything that can be worked out before the lock. Texts are ordered text. */
export interface PreparedWrite {
  readonly document: ObjectDocument;
  readonly expect: Write["expect"];
  readonly contentHash: Buffer;
  readonly payload: EncodedPayload;
  readonly content: { readonly hash: Buffer; readonly encoded: EncodedContent | undefined } | undefined;
  readonly session: string | undefined;
  readonly tool: string | undefined;
  readonly index: CheckedWrite["index"];
}

const selectBlob = "SELECT bid FROM blob WHERE hash = ?";
const insertBlob = "INSERT INTO blob(hash, size, enc, data) VALUES (?, ?, ?, ?) ON CONFLICT(hash) DO NOTHING";
const selectSession = "SELECT session_id FROM session WHERE name = ?";
const insertSession = "INSERT INTO session(name) VALUES (?)";
const insertMember = "INSERT OR IGNORE INTO member(session_id, oid) VALUES (?, ?)";
const selectPlace = "SELECT place_id FROM place WHERE type = ? AND namespace = ?";
const insertPlace = "INSERT INTO place(type, namespace) VALUES (?, ?)";
const insertSource = "INSERT OR IGNORE INTO source(oid, place_id, path, binding) VALUES (?, ?, ?, ?)";
const insertVersionRow = `INSERT INTO version
  (oid, tx_id, valid_from, content_hash, session_id, tool, bid, enc, payload) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** Encodes and compresses, so that the lock is not held meanwhile. */
export function prepareWrite(connection: Connection, { document, expect, index }: CheckedWrite): PreparedWrite {
  const { session, tool } = indexedFieldsOf(document);
  return {
    document,
    expect,
    contentHash: Buffer.from(document.content_hash, "hex"),
    payload: encodePayload(document, session),
    content: prepareContent(connection, document),
    session: session === undefined ? undefined : toOrderedText(session),
    tool: tool === undefined ? undefined : toOrderedText(tool),
    index,
  };
}

/**
 * Inserts a version, with whatever it refers to and is not there yet, under the write lock.
 * @returns the version's vid
 */
export function insertVersion(
  connection: Connection,
  write: PreparedWrite & { readonly oid: number | undefined },
  { transaction, validFromMs }: { transaction: OpenTransaction; validFromMs: number },
): number {
  const { document, payload } = write;
  const { "xt/id": id, type } = document;
  const oid = write.oid ?? addObject(connection, { id, type }, transaction.kinds);
  if (document.source !== null) writeSource(connection, { oid, document }, transaction.places);
  const session = write.session === undefined ? null : sessionIdOf(connection, write.session);
  if (session !== null) connection.run(insertMember, session, oid);
  const vid = connection.run(
    insertVersionRow,
    oid,
    transaction.txId,
    validFromMs,
    write.contentHash,
    session,
    write.tool ?? null,
    blobIdOf(connection, write),
    payload.enc,
    payload.data,
  );
  if (write.index !== undefined) {
    indexFields(connection, { oid, vid, entry: write.index, nowMs: transaction.timeMs });
  }
  return vid;
}

/** A text that is stored already is not compressed again. */
function prepareContent(connection: Connection, document: ObjectDocument): PreparedWrite["content"] {
  const digest = contentDigestOf(document);
  if (document.content === null || digest === null) return undefined;
  const hash = Buffer.from(digest, "hex");
  const known = connection.get(selectBlob, hash) !== undefined;
  return { hash, encoded: known ? undefined : encodeContent(document.content) };
}

function blobIdOf(connection: Connection, { content, document }: PreparedWrite): number | null {
  if (content === undefined) return null;
  const { hash, encoded } = content;
  // What was new before the lock mostly is: then one statement does.
  const added = encoded === undefined ? undefined : addBlob(connection, hash, encoded);
  if (added !== undefined) return added;
  const stored = connection.get<{ bid: number }>(selectBlob, hash);
  // Encoded here only where the text was stored before the lock, and an erasure was faster.
  return stored?.bid ?? addBlob(connection, hash, encodeContent(document.content ?? "")) ?? null;
}

/** Undefined where the text is there already. */
function addBlob(connection: Connection, hash: Buffer, { size, enc, data }: EncodedContent): number | undefined {
  return connection.insert(insertBlob, hash, size, enc, data);
}

function sessionIdOf(connection: Connection, name: string): number {
  const row = connection.get<{ session_id: number }>(selectSession, name);
  return row?.session_id ?? connection.run(insertSession, name);
}

/** The binding is written with the first version, and again with the first one after an erasure took it. */
function writeSource(
  connection: Connection,
  { oid, document }: { readonly oid: number; readonly document: ObjectDocument },
  places: Map<string, number>,
): void {
  const { location } = indexedFieldsOf(document);
  if (location === undefined) return;
  const place = JSON.stringify([location.type, location.namespace]);
  const placeId = places.get(place) ?? placeNamed(connection, location);
  places.set(place, placeId);
  const binding = location.type === "filesystem" ? null : JSON.stringify(document.source);
  connection.run(insertSource, oid, placeId, toOrderedText(location.path), binding);
}

function placeNamed(connection: Connection, location: { readonly type: string; readonly namespace: string }): number {
  const type = toOrderedText(location.type);
  const namespace = toOrderedText(location.namespace);
  const place = connection.get<{ place_id: number }>(selectPlace, type, namespace);
  return place?.place_id ?? connection.run(insertPlace, type, namespace);
}

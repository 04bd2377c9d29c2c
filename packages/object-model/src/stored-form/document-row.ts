import { defined } from "../defined.ts";
import type { ObjectDocument } from "../documents/document.ts";
import { type IndexedFields, indexedFieldsOf } from "../documents/indexed-fields.ts";
import { rememberHashed } from "../documents/seal.ts";
import type { SourceBinding } from "../documents/source-binding.ts";
import { hashedRecord, sha256, sourcedIdentityHash, unsourcedIdentityHash } from "../hashing.ts";
import type { ReadOptions } from "../store/contract.ts";
import { corruptObject } from "../store/refusals.ts";
import { decodeContent } from "./content-codec.ts";
import { deepFreeze } from "./deep-freeze.ts";
import { fromOrderedText } from "./ordered-text.ts";
import { decodePayload, type Payload } from "./payload-codec.ts";

/** A column of bytes. */
type Bytes = Uint8Array<ArrayBuffer>;

/** How a version holds the small fields. Texts are ordered text. */
export type PayloadRow = { enc: number; payload: Bytes | null; session_name: string | null };

/** The columns from which a document is rebuilt. All except the payload are NULL without content or source. */
export type DocumentRow = PayloadRow & {
  id: string;
  type: string;
  content_hash: Bytes;
  tool: string | null;
  content_size: number | null;
  content_enc: number | null;
  content_data: Bytes | null;
  /** SHA-256 of the text, NULL without one. Only a document whose row has the column is held against its hash. */
  content_digest?: Bytes | null;
  source_type: string | null;
  namespace: string | null;
  path: string | null;
  binding: string | null;
};

/**
 * Builds the document as it was written, frozen. Its schema was checked then and is not checked again. What it says is
 * held against its hash, so that damage is an error and never another document, and that lists find it by what it says
 * is, too.
 * @throws CmError `store/corrupt` naming the object; where the text comes later and is damaged, when it is looked at
 */
export function documentOf(row: DocumentRow, texts?: ReadOptions["texts"]): ObjectDocument {
  const id = fromOrderedText(row.id);
  const type = fromOrderedText(row.type);
  const source = sourceOf(row, id);
  const envelope = {
    "xt/id": id,
    type,
    source: source === null ? null : Object.freeze(source),
    // SSOT 2.4: of a sourced object the identity hash is the id.
    identity_hash: source === null ? unsourcedIdentityHash(type, id) : id,
  };
  const payload = deepFreeze(payloadOf(row, id));
  const content_hash = contentHashOf(row.content_hash, id);
  const digest = row.content_digest && contentHashOf(row.content_digest, id);
  if (digest !== undefined) {
    if (!isThat(id, { type, source })) throw corruptObject(id, "source");
    if (!hasHash(payload, content_hash, digest)) throw corruptObject(id, "payload");
  }
  const isLater = texts === "later" && row.content_data !== null;
  const document: ObjectDocument = Object.freeze(
    isLater
      ? withLaterContent({ ...envelope, ...payload, content: null, content_hash }, contentWhenAsked(row, id))
      : { ...envelope, ...payload, content: contentOf(row, id), content_hash },
  );
  const wrong = wronglyIndexed(row, document);
  if (wrong !== undefined) throw corruptObject(id, wrong);
  if (digest !== undefined) rememberHashed(document, digest);
  return document;
}

/** The source is the one that the id is the hash of. Files alone of the core types have one. */
function isThat(id: string, { type, source }: { readonly type: string; readonly source: object | null }): boolean {
  if (source === null) return type !== "file";
  return unlessDamaged(() => sourcedIdentityHash(type, source)) === id;
}

function hasHash(payload: Payload, hash: string, digest: string | null): boolean {
  return unlessDamaged(() => sha256(hashedRecord(payload, digest))) === hash;
}

/** What is damaged may not even have a canonical form. */
function unlessDamaged(sum: () => string): string | undefined {
  try {
    return sum();
  } catch {
    return undefined;
  }
}

/** None where the binding is not one any more. */
function fieldsOf(document: ObjectDocument): Partial<IndexedFields> {
  try {
    return indexedFieldsOf(document);
  } catch {
    return {};
  }
}

/** The first of the columns that `find` looks at and that says something else than the document. */
function wronglyIndexed(row: DocumentRow, document: ObjectDocument): string | undefined {
  if (isPlainFile(row)) return undefined;
  const { session, tool, location } = fieldsOf(document);
  if (!says(row.source_type, location?.type)) return "source";
  if (!says(row.namespace, location?.namespace) || !says(row.path, location?.path)) return "source";
  if (!says(row.session_name, session)) return "session";
  return says(row.tool, tool) ? undefined : "tool";
}

/** Its binding was made of the very columns that lists look at, and files have neither session nor tool. */
function isPlainFile({ type, source_type, binding, session_name, tool }: DocumentRow): boolean {
  return type === "file" && source_type === "filesystem" && binding === null && session_name === null && tool === null;
}

function says(column: string | null, field: string | undefined): boolean {
  return column === null ? field === undefined : fromOrderedText(column) === field;
}

/** @throws CmError `store/corrupt` naming the object */
export function payloadOf({ enc, payload, session_name }: PayloadRow, id: string): Payload {
  try {
    if (payload !== null)
      return decodePayload({ enc, data: payload }, session_name === null ? undefined : fromOrderedText(session_name));
  } catch {
    // Below: the cause may quote stored text, so it goes no further.
  }
  throw corruptObject(id, "payload");
}

/** A text as it is stored. */
export type PackedContent = Pick<DocumentRow, "content_size" | "content_enc" | "content_data" | "content_digest">;

/** Unpacked once, and the packed text is not kept then. */
export function contentWhenAsked(
  { content_size, content_enc, content_data, content_digest }: PackedContent,
  id: string,
): () => string | null {
  let packed: PackedContent | undefined = { content_size, content_enc, content_data, ...defined({ content_digest }) };
  let content: string | null = null;
  return () => {
    if (packed !== undefined) {
      content = contentOf(packed, id);
      packed = undefined;
    }
    return content;
  };
}

export function withLaterContent<T extends { readonly content: null }>(document: T, get: () => string | null): T {
  return Object.defineProperty(document, "content", { get, enumerable: true });
}

function contentOf(
  { content_size, content_enc, content_data, content_digest }: PackedContent,
  id: string,
): string | null {
  if (content_size === null || content_enc === null || content_data === null) return null;
  try {
    return decodeContent({ size: content_size, enc: content_enc, data: content_data }, content_digest ?? undefined);
  } catch {
    throw corruptObject(id, "content");
  }
}

function sourceOf({ source_type, namespace, path, binding }: DocumentRow, id: string): SourceBinding | null {
  if (source_type === null || namespace === null || path === null) return null;
  if (binding === null) {
    return { type: "filesystem", filesystemId: fromOrderedText(namespace), path: fromOrderedText(path) };
  }
  try {
    return JSON.parse(binding);
  } catch {
    throw corruptObject(id, "source");
  }
}

/**
 * A hash as documents have it. In a damaged file another row may stand in its place, so that the column holds no bytes.
 * @throws CmError `store/corrupt` naming the object
 */
export function contentHashOf(bytes: Uint8Array, id: string): string {
  if (!(bytes instanceof Uint8Array)) throw corruptObject(id, "content hash");
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}

import { safeParse } from "zod/mini";
import { defined } from "../defined.ts";
import { CmError } from "../errors.ts";
import { hashedRecord, sha256, sourcedIdentityHash, unsourcedIdentityHash } from "../hashing.ts";
import { isSha256 } from "../ids.ts";
import { limits } from "../limits.ts";
import type { CoreType, DocumentOf, ObjectDocument, PayloadOf } from "./document.ts";
import { frozenCopy } from "./frozen-copy.ts";
import { parseSourceBinding, type SourceBinding } from "./source-binding.ts";
import { coreDocumentTypes, type DocumentType, type DocumentTypes } from "./types.ts";

/** What identifies an object: its source, or an id given at creation (SSOT 2.4). */
export type Identity<T extends string = string> =
  | { readonly type: T; readonly source: SourceBinding }
  | { readonly type: T; readonly id: string };

const envelopeFields = ["xt/id", "type", "source", "identity_hash"] as const;

/** Frozen documents that were checked here, so that a text is hashed once on its way into a store. */
const checked = new WeakMap<ObjectDocument, { readonly type: DocumentType; readonly digest: string | null }>();

/** Frozen documents that a store held against their hash when it read them, with the hash of their text. */
const hashed = new WeakMap<ObjectDocument, string | null>();

/** The document is frozen and has its `content_hash`, so that parsing it checks the schema alone. */
export function rememberHashed(document: ObjectDocument, digest: string | null): void {
  hashed.set(document, digest);
}

/** The id an identity stands under. */
export function objectIdOf(identity: Identity): string {
  return "source" in identity ? sourcedIdentityHash(identity.type, identity.source) : identity.id;
}

/**
 * Builds a whole document: envelope, checked payload, hashes. The result is frozen.
 * @throws CmError `model/invalid-document`, `model/invalid-source`, `model/not-canonical` or `model/limit`
 */
export function sealDocument<T extends CoreType>(identity: Identity<T>, payload: PayloadOf<T>): DocumentOf<T>;
export function sealDocument(
  identity: Identity,
  payload: Readonly<Record<string, unknown>>,
  types: DocumentTypes,
): ObjectDocument;
export function sealDocument(
  identity: Identity,
  payload: Readonly<Record<string, unknown>>,
  types: DocumentTypes = coreDocumentTypes,
): ObjectDocument {
  return seal(identity, payload, { types });
}

/**
 * As `sealDocument`, for a caller that has hashed the text's bytes already: `digest` is the SHA-256 of the text as
 * UTF-8, and is believed. A wrong one makes a document that every reader refuses.
 * @throws CmError as `sealDocument`
 */
export function sealHashedDocument<T extends CoreType>(
  identity: Identity<T>,
  payload: PayloadOf<T>,
  digest: string,
): DocumentOf<T> {
  const isDigest = typeof payload.content === "string" && isSha256(digest);
  return seal(identity, payload, { types: coreDocumentTypes, ...(isDigest ? { digest } : {}) }) as DocumentOf<T>;
}

function seal(
  identity: Identity,
  payload: Readonly<Record<string, unknown>>,
  { types, digest: known }: { readonly types: DocumentTypes; readonly digest?: string },
): ObjectDocument {
  const type = typeNamed(identity.type, types);
  const source = "source" in identity ? parseSourceBinding(identity.source) : null;
  const id = objectIdOf(identity);
  checkIdentity(type, id, source);
  const { fields, digest, hash } = checkPayload(id, payload, {
    type,
    ...defined({ digest: known }),
  });
  const document: ObjectDocument = Object.freeze({
    "xt/id": id,
    type: type.type,
    source: frozenCopy(source),
    identity_hash: identityHashOf(type, id, source),
    ...fields,
    content_hash: hash,
  });
  checked.set(document, { type, digest });
  return document;
}

/**
 * Reads a document from outside: schema, identity and both hashes must hold. Documents that were sealed or parsed
 * under the same object type pass at once.
 * @throws CmError `model/invalid-document`, `model/invalid-source`, `model/not-canonical` or `model/limit`
 */
export function parseDocument(value: unknown, types: DocumentTypes = coreDocumentTypes): ObjectDocument {
  if (typeof value !== "object" || value === null) throw invalid("(unknown)", ["(the document)"]);
  const known = checked.get(value as ObjectDocument);
  if (known !== undefined && types.get(known.type.type) === known.type) return value as ObjectDocument;
  const {
    "xt/id": id,
    type: typeName,
    source,
    identity_hash,
    content_hash,
    ...payload
  } = value as Record<string, unknown>;
  if (typeof id !== "string" || typeof typeName !== "string") throw invalid("(unknown)", ["xt/id", "type"]);
  const type = typeNamed(typeName, types);
  const binding = source === null || source === undefined ? null : parseSourceBinding(source);
  checkIdentity(type, id, binding);
  const held = hashed.get(value as ObjectDocument);
  const sums = held === undefined ? {} : { digest: held, hash: `${content_hash}` };
  const { fields, digest, hash } = checkPayload(id, payload, { type, ...sums });
  const wrong: string[] = [];
  if (source === undefined) wrong.push("source");
  if (identity_hash !== identityHashOf(type, id, binding)) wrong.push("identity_hash");
  if (content_hash !== hash) wrong.push("content_hash");
  if (wrong.length > 0) throw invalid(id, wrong);
  const document = Object.freeze({
    "xt/id": id,
    type: typeName,
    source: frozenCopy(binding),
    identity_hash,
    ...fields,
    content_hash,
  });
  checked.set(document as ObjectDocument, { type, digest });
  return document as ObjectDocument;
}

/** SHA-256 of a document's text, null where it has none. Hashed once for a document that was sealed or parsed here. */
export function contentDigestOf(document: ObjectDocument): string | null {
  const known = checked.get(document);
  return known === undefined ? digestOf(document.content) : known.digest;
}

/** True when two versions of an object say the same, so that writing the second would add nothing. */
export function sameVersion(a: ObjectDocument, b: ObjectDocument): boolean {
  return a.content_hash === b.content_hash && a.source_hash === b.source_hash;
}

/** The mutable fields of a document, hashes left out: what `sealDocument` takes. */
export function payloadOf(document: ObjectDocument): Readonly<Record<string, unknown>> {
  const { content_hash: _hash, ...rest } = document;
  return Object.fromEntries(
    Object.entries(rest).filter(([key]) => !(envelopeFields as readonly string[]).includes(key)),
  );
}

function typeNamed(name: string, types: DocumentTypes): DocumentType {
  const type = types.get(name);
  if (type === undefined) {
    throw new CmError("model/invalid-document", "The object type is not registered; extend the document types.", {});
  }
  return type;
}

function identityHashOf(type: DocumentType, id: string, source: SourceBinding | null): string {
  return source === null ? unsourcedIdentityHash(type.type, id) : id;
}

function checkIdentity(type: DocumentType, id: string, source: SourceBinding | null): void {
  if (id.length === 0 || id.length > limits.idCharsMax || !id.isWellFormed() || !type.acceptsId(id)) {
    throw new CmError("model/invalid-id", `An object of type ${type.type} cannot carry this id.`, { type: type.type });
  }
  if (type.sourced !== (source !== null)) throw invalid(id, ["source"]);
  if (source !== null && sourcedIdentityHash(type.type, source) !== id) throw invalid(id, ["xt/id"]);
}

interface CheckedPayload {
  readonly fields: { readonly content: string | null; readonly [field: string]: unknown };
  readonly digest: string | null;
  readonly hash: string;
}

function checkPayload(
  id: string,
  payload: Readonly<Record<string, unknown>>,
  {
    type,
    digest: known,
    hash,
  }: { readonly type: DocumentType; readonly digest?: string | null; readonly hash?: string },
): CheckedPayload {
  const result = safeParse(type.payload, payload);
  if (!result.success) {
    throw invalid(id, [...new Set(result.error.issues.flatMap((issue) => fieldsOf(issue)))]);
  }
  const data = result.data as CheckedPayload["fields"];
  checkContent(id, data.content);
  const digest = known ?? digestOf(data.content);
  if (hash !== undefined) return { fields: frozenCopy(data), digest, hash };
  const record = hashedRecord(data, digest);
  if (bytesPass(record, limits.payloadBytesMax)) throw tooLarge(id, "payloadBytesMax", limits.payloadBytesMax);
  return { fields: frozenCopy(data), digest, hash: sha256(record) };
}

/** Names of the fields an issue is about; never a value. Unknown fields count by name of their place only. */
function fieldsOf(issue: { readonly code?: string; readonly path: readonly PropertyKey[] }): readonly string[] {
  const place = issue.path.map(String).slice(0, 3).join(".");
  return [issue.code === "unrecognized_keys" ? `${place}(unknown field)` : place || "(the payload)"];
}

/** Schemas of added types may say nothing about content; all documents have it. */
function checkContent(id: string, content: unknown): void {
  if (content === null) return;
  if (typeof content !== "string" || !content.isWellFormed()) throw invalid(id, ["content"]);
  if (bytesPass(content, limits.contentBytesMax)) throw tooLarge(id, "contentBytesMax", limits.contentBytesMax);
}

/** UTF-8 takes at most three bytes a UTF-16 unit, so most texts need no second look. */
function bytesPass(text: string, bound: number): boolean {
  return text.length * 3 > bound && Buffer.byteLength(text) > bound;
}

function digestOf(content: string | null): string | null {
  return content === null ? null : sha256(content);
}

function tooLarge(id: string, limit: string, bound: number): CmError<"model/limit"> {
  return new CmError("model/limit", `The object ${shown(id)} passes ${limit} (${bound}); store less in it.`, {
    limit,
    bound,
  });
}

function invalid(id: string, fields: readonly string[]): CmError<"model/invalid-document"> {
  return new CmError(
    "model/invalid-document",
    `The document ${shown(id)} is wrong in: ${fields.join(", ")}. Build it with sealDocument.`,
    { id: shown(id), fields },
  );
}

/** An id from outside may be anything: bounded and on one line. */
function shown(id: string): string {
  const line = JSON.stringify(id.toWellFormed()).slice(1, -1);
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

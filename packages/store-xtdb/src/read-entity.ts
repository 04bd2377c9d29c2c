import {
  hashedRecord,
  type ObjectDocument,
  refusals,
  sha256,
  sourcedIdentityHash,
  unsourcedIdentityHash,
} from "@cm/object-model";
import type { StoredDocument } from "@cm/xtdb-client";
import { textOf } from "./long-text.ts";
import { attributeNames } from "./object-entity.ts";
import { storedJson } from "./stored-json.ts";
import { readToken, type TokenFacts } from "./version-token.ts";

/** The store's own data beside an object's fields. */
export interface EntityFacts {
  readonly id: string;
  readonly type: string;
  readonly contentHash: string;
  readonly token: string;
  readonly facts: TokenFacts;
  readonly request: string;
  readonly keys: readonly string[];
  /** How new its type says it is; 0 where it declares nothing. */
  readonly newest: number;
  readonly path: string | undefined;
  readonly afterErasure: boolean;
  /** The id of the document of its long text. */
  readonly text: string | undefined;
}

/** @throws CmError `store/corrupt` */
export function entityFacts(entity: StoredDocument): EntityFacts {
  const { "cm/object": id, "cm/token": token, "cm/request": request, "cm/keys": keys, "cm/blob": blob } = entity;
  const { "cm/newest": newest, type, content_hash: contentHash, path } = entity;
  const facts = typeof token === "string" ? readToken(token) : undefined;
  if (
    typeof id !== "string" ||
    typeof token !== "string" ||
    facts === undefined ||
    typeof request !== "string" ||
    typeof type !== "string" ||
    typeof contentHash !== "string"
  ) {
    throw refusals.corruptObject(String(id ?? entity["xt/id"]), "document");
  }
  return {
    id,
    type,
    contentHash,
    token,
    facts,
    request,
    keys: Array.isArray(keys) ? keys.map(String) : [],
    newest: typeof newest === "number" ? newest : 0,
    path: typeof path === "string" ? path : undefined,
    afterErasure: entity["cm/after_erasure"] === true,
    text: textIdOf(blob),
  };
}

/** A reference is the id alone, or the document that a query put in its place. */
function textIdOf(blob: unknown): string | undefined {
  if (typeof blob === "string") return blob;
  return isMap(blob) && typeof blob["xt/id"] === "string" ? blob["xt/id"] : undefined;
}

/**
 * The document as it was written, frozen. Other clients of the database can write to it, so both hashes are recomputed.
 * @param text the document of its long text
 * @throws CmError `store/corrupt` naming the object
 */
export function documentOf(entity: StoredDocument, text: StoredDocument | undefined): ObjectDocument {
  const { id, type, contentHash, facts } = entityFacts(entity);
  const source = parsed(entity.source, id, "source") ?? null;
  const others = parsed(entity["cm/fields"], id, "fields") ?? {};
  const content = contentOf(entity, text, id);
  const fields: Record<string, unknown> = {};
  for (const field of Object.keys(others)) define(fields, field, (others as Record<string, unknown>)[field]);
  for (const field of attributeNames) if (Object.hasOwn(entity, field)) fields[field] = entity[field];
  const identity = source === null ? unsourcedIdentityHash(type, id) : sourcedIdentityHash(type, source);
  const digest = content === null ? null : sha256(content);
  const hash = sha256(hashedRecord({ ...fields, content }, digest));
  const isWhole = hash === contentHash && facts.contentHash === hash && identity === entity.identity_hash;
  if (!isWhole || (source !== null && identity !== id)) throw refusals.corruptObject(id, "document");
  const document = { "xt/id": id, type, source, identity_hash: identity, ...fields, content, content_hash: hash };
  return deepFreeze(document) as ObjectDocument;
}

function contentOf(entity: StoredDocument, text: StoredDocument | undefined, id: string): string | null {
  const { content, "cm/blob": blob } = entity;
  if (typeof content === "string") return content;
  const textId = textIdOf(blob);
  if (textId === undefined) return null;
  const whole = text === undefined ? undefined : textOf(text, textId.slice(textId.lastIndexOf(":") + 1));
  if (whole === undefined) throw refusals.corruptObject(id, "text");
  return whole;
}

/** The document that a query put in the place of a reference, where it is there. */
export function joinedText(entity: StoredDocument): StoredDocument | undefined {
  const blob = entity["cm/blob"];
  return isMap(blob) ? (blob as StoredDocument) : undefined;
}

function parsed(json: unknown, id: string, what: string): object | undefined {
  if (json === undefined) return undefined;
  const value = storedJson(json);
  if (typeof value === "object" && value !== null) return value;
  throw refusals.corruptObject(id, what);
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A field may be called `__proto__`. */
function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

/** A freshly parsed value has no other owner, so it is frozen in place. Its depth was checked when it was written. */
function deepFreeze<T extends object>(value: T): T {
  for (const member of Object.values(value)) if (typeof member === "object" && member !== null) deepFreeze(member);
  return Object.freeze(value);
}

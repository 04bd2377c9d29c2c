import { canonicalJson, type IndexEntry, indexedFieldsOf, type ObjectDocument } from "@cm/object-model";
import type { XtdbDocument } from "@cm/xtdb-client";
import { isLong } from "./long-text.ts";
import type { Names } from "./names.ts";
import { orderValues } from "./order.ts";

/** Fields that stand as attributes of their own, for people's queries. All others are in `cm/fields`, as JSON. */
const attributes = new Set([
  "source_hash",
  "tool",
  "status",
  "chat_ref",
  "session_ref",
  "file_type",
  "char_count",
  "null_reason",
  "n",
  "turn",
]);

const envelope = new Set(["xt/id", "type", "source", "identity_hash", "content", "content_hash"]);

/** The additions of a write to its object's document. */
export interface WriteFacts {
  readonly token: string;
  /** The id of the commit's own document. */
  readonly request: string;
  readonly digest: string | null;
  readonly afterErasure: boolean;
  /** Of the fields that the document's type declares as indexed. */
  readonly index: IndexEntry | undefined;
}

/**
 * A version as XTDB keeps it. No key ever comes from data: fields that the specification does not name, and everything
 * nested, are JSON in a string, so nothing in them can be taken for an attribute that XTDB runs as code.
 */
export function objectEntity(names: Names, document: ObjectDocument, facts: WriteFacts): XtdbDocument {
  const id = document["xt/id"];
  const indexed = indexedFieldsOf(document);
  const entity: Record<string, string | number | boolean | string[]> & { "xt/id": string } = {
    "xt/id": names.object(id),
    "cm/object": id,
    "cm/token": facts.token,
    "cm/request": facts.request,
    "cm/keys": [...searchKeys(names, indexed), ...whereKeys(names, document.type, facts.index?.keys ?? [])],
    "cm/order": orderValues(names, id, { ...indexed, index: facts.index }),
    type: document.type,
    identity_hash: document.identity_hash,
    content_hash: document.content_hash,
  };
  if (document.source !== null) entity.source = canonicalJson(document.source);
  if (indexed.location !== undefined) entity.path = indexed.location.path;
  if (facts.index !== undefined) entity["cm/newest"] = facts.index.newest;
  if (facts.afterErasure) entity["cm/after_erasure"] = true;
  if (document.content !== null) {
    if (isLong(document.content) && facts.digest !== null) entity["cm/blob"] = names.text(facts.digest);
    else entity.content = document.content;
  }
  const others: Record<string, unknown> = {};
  let isEmpty = true;
  for (const field of Object.keys(document)) {
    const value = document[field];
    if (envelope.has(field) || value === undefined) continue;
    if (attributes.has(field) && (typeof value === "string" || Number.isSafeInteger(value))) {
      // Minus zero is a double to XTDB, and zero in canonical JSON.
      entity[field] = typeof value === "number" ? value + 0 : (value as string);
    } else {
      Object.defineProperty(others, field, { value, enumerable: true, configurable: true, writable: true });
      isEmpty = false;
    }
  }
  if (!isEmpty) entity["cm/fields"] = canonicalJson(others);
  return entity;
}

/** Equality conditions of `find`, one value each. */
function searchKeys(names: Names, indexed: ReturnType<typeof indexedFieldsOf>): string[] {
  const { type, session, tool, location } = indexed;
  const keys = [names.key("type", type)];
  if (session !== undefined) keys.push(names.key("session", session));
  if (tool !== undefined) keys.push(names.key("tool", tool));
  if (location !== undefined) {
    keys.push(names.key("source", location.type), names.placeKey(location.type, location.namespace));
  }
  return keys;
}

/** Conditions on the fields that a type declares as indexed. */
export function whereKeys(names: Names, type: string, keys: readonly string[]): string[] {
  return keys.map((key) => names.key("where", `${type.length}|${type}|${key}`));
}

export const attributeNames: ReadonlySet<string> = attributes;

import { hash } from "node:crypto";
import { canonicalJson } from "./canonical-json.ts";

/** SHA-256 of bytes, or of text as UTF-8, as 64 lower-case hexadecimal digits. */
export function sha256(data: string | Uint8Array): string {
  return hash("sha256", data, "hex");
}

/** SHA-256 of the canonical JSON of a value. */
export function hashJson(value: unknown): string {
  return sha256(canonicalJson(value));
}

/** SSOT 2.4: type and source identify a sourced object; the result is its id. */
export function sourcedIdentityHash(type: string, source: object): string {
  return hashJson({ type, source });
}

/** Type and id identify an unsourced object: with a null source alone, all of one type would share one hash. */
export function unsourcedIdentityHash(type: string, id: string): string {
  return hashJson({ type, id });
}

/**
 * The record that `content_hash` covers, as canonical JSON: every mutable field but the two hashes and the rename hint
 * of a file, the text by its SHA-256. Fields are left out by name, so one that is added later is covered without
 * any other change.
 */
export function hashedRecord(payload: Readonly<Record<string, unknown>>, contentDigest: string | null): string {
  const { content_hash: _own, source_hash: _source, moved_from: _hint, content: _text, ...fields } = payload;
  return canonicalJson({ ...fields, content: contentDigest });
}

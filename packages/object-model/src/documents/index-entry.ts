import { canonicalJson } from "../canonical-json.ts";
import { sha256 } from "../hashing.ts";
import type { ObjectDocument } from "./document.ts";
import type { DocumentType } from "./types.ts";

/** What an index keeps of one version. */
export interface IndexEntry {
  /** A version meets a `where` exactly when it has all of its keys. Each is one line without NUL. */
  readonly keys: readonly string[];
  readonly newest: number;
}

/** Longer keys are replaced by their hash, so that every database can index them. In UTF-16 units. */
const keyCharsMax = 160;

/** Undefined for a type that declares nothing. */
export function indexEntryOf(document: ObjectDocument, type: DocumentType | undefined): IndexEntry | undefined {
  if (type?.indexed === undefined) return undefined;
  const { fields, newest } = type.indexed;
  const keys = indexKeysOf(Object.fromEntries(fields.map((field) => [field, document[field]])));
  const value = newest === undefined ? 0 : document[newest];
  return { keys, newest: typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 0 };
}

/**
 * The keys of some fields, each once. What is contained in them has a subset of the keys: an object some of its
 * members, an array some of its elements, anything else is itself.
 * @throws CmError `model/not-canonical`, `model/limit`
 */
export function indexKeysOf(fields: Readonly<Record<string, unknown>>): readonly string[] {
  // Also bounds the depth of what comes from outside.
  canonicalJson(fields);
  const keys = new Set<string>();
  for (const [field, value] of Object.entries(fields)) addKeys(keys, [field], value);
  return [...keys];
}

function addKeys(keys: Set<string>, path: readonly string[], value: unknown): void {
  if (value === undefined) return;
  const place = JSON.stringify(path);
  if (Array.isArray(value)) {
    keys.add(bounded(`${place}[]`));
    for (const element of value) keys.add(bounded(`${place}[]=${canonicalJson(element)}`));
  } else if (typeof value === "object" && value !== null) {
    keys.add(bounded(`${place}{}`));
    for (const [name, member] of Object.entries(value)) addKeys(keys, [...path, name], member);
  } else {
    keys.add(bounded(`${place}=${canonicalJson(value)}`));
  }
}

const bounded = (key: string): string => (key.length <= keyCharsMax ? key : `#${sha256(key)}`);

import { isRawObject, type RawObject } from "../json-lines.ts";
import { limits } from "../limits.ts";
import { isBlobRef } from "./blob-store.ts";

/** Stores bytes and gives the reference that stands for them. */
export type PutBlob = (bytes: Uint8Array) => string;

export const truncationNotice = "\n\n[Session persistence truncated large content]";

/**
 * What is written of an entry: long strings cut, images as references, without what a provider's stream left behind.
 * What needs no change is the same object.
 */
export function prepareForPersistence<Value>(entry: Value, putBlob: PutBlob): Value {
  return prepared(entry, "", putBlob) as Value;
}

function prepared(value: unknown, key: string, putBlob: PutBlob): unknown {
  if (typeof value === "string") return preparedText(value, key, putBlob);
  if (Array.isArray(value)) return preparedList(value, key, putBlob);
  return isRawObject(value) ? preparedObject(value, putBlob) : value;
}

/** A signature that is cut is worth less than none: a provider refuses it. */
const signatures: ReadonlySet<string> = new Set(["thinkingSignature", "thoughtSignature", "textSignature"]);

function preparedText(text: string, key: string, putBlob: PutBlob): string {
  if (key === "image_url" && text.startsWith("data:image/") && text.includes(";base64,")) {
    return putBlob(Buffer.from(text, "utf8"));
  }
  if (text.length <= limits.persistedStringCharsMax) return text;
  return signatures.has(key) ? "" : cut(text, limits.persistedStringCharsMax - truncationNotice.length);
}

function cut(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return `${text.slice(0, splitsPair ? length - 1 : length)}${truncationNotice}`;
}

function preparedList(list: readonly unknown[], key: string, putBlob: PutBlob): readonly unknown[] {
  let changed = false;
  const items = list.map((item) => {
    const next = key === "content" ? withoutImage(item, putBlob) : item;
    const done = prepared(next, key, putBlob);
    changed ||= done !== item;
    return done;
  });
  return changed ? items : list;
}

function withoutImage(item: unknown, putBlob: PutBlob): unknown {
  if (!isRawObject(item) || item.type !== "image" || typeof item.data !== "string") return item;
  if (item.data.length < limits.blobBase64CharsMin || isBlobRef(item.data)) return item;
  const bytes = Buffer.from(item.data, "base64");
  return isBase64Of(item.data, bytes) ? { ...item, data: putBlob(bytes) } : item;
}

/** Whether the text comes back from the bytes, but for its padding. */
function isBase64Of(text: string, bytes: Buffer): boolean {
  const bare = (base64: string) => base64.replace(/=+$/, "").slice(0, -1);
  return bare(bytes.toString("base64")) === bare(text);
}

const transient: ReadonlySet<string> = new Set(["partialJson", "jsonlEvents"]);

function preparedObject(object: RawObject, putBlob: PutBlob): RawObject {
  let changed = false;
  const fields: [string, unknown][] = [];
  for (const [name, value] of Object.entries(object)) {
    const done = transient.has(name) ? undefined : prepared(value, name, putBlob);
    changed ||= done !== value;
    if (!transient.has(name)) fields.push([name, done]);
  }
  if (!changed) return object;
  const result = Object.fromEntries(fields);
  if (typeof result.content === "string" && typeof result.lineCount === "number" && result.content !== object.content) {
    result.lineCount = result.content.split("\n").length;
  }
  return result;
}

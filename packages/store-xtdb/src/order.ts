import {
  type CheckedFind,
  type FindPlace,
  type IndexEntry,
  indexedFieldsOf,
  type ObjectDocument,
} from "@cm/object-model";
import type { StoredDocument } from "@cm/xtdb-client";
import { storeLimits } from "./limits.ts";
import type { Names } from "./names.ts";
import { storedJson } from "./stored-json.ts";

/** What an object is found by; `index` is of the fields that its type declares. */
type Indexed = ReturnType<typeof indexedFieldsOf> & { readonly index?: IndexEntry | undefined };

/**
 * What `find` ranges over: the values of `cm/order`. Each is a tag, which stands for one question such as "of type file"
 * or "of that place, below that folder", and the beginning of the object's id. XTDB's index has them in this order, so
 * the objects of a page stand beside each other.
 */
export function orderValues(names: Names, id: string, indexed: Indexed): string[] {
  const { type, session, tool, location, index } = indexed;
  const values = [orderValue(names.orderTag("type", type), id)];
  if (session !== undefined) {
    values.push(orderValue(names.orderTag("session", session), id));
    values.push(orderValue(typeInSession(names, session, type), id));
  }
  if (tool !== undefined) values.push(orderValue(names.orderTag("tool", tool), id));
  if (location !== undefined) {
    for (const folder of foldersOf(location.path)) {
      values.push(hashedIdValue(folderTag(names, { ...location, folder }), id));
      values.push(hashedIdValue(folderTag(names, { type: location.type, folder }), id));
    }
  }
  if (index !== undefined) {
    const newest = newestText({ newest: index.newest, id });
    values.push(orderValue(newestTag(names, type), newest));
    for (const key of index.keys) {
      values.push(orderValue(whereTag(names, type, key), id), orderValue(newestTag(names, type, key), newest));
    }
  }
  return values;
}

/** The values of a document that was stored without them. */
export function orderValuesOf(names: Names, id: string, entity: StoredDocument): string[] {
  const { type, session_ref, chat_ref, tool } = entity;
  const source = entity.source === undefined ? null : storedJson(entity.source);
  const fields = { "xt/id": id, type, source: source ?? null, session_ref, chat_ref, tool };
  return orderValues(names, id, indexedFieldsOf(fields as unknown as ObjectDocument));
}

/** One question of the index: all that meet the filter have a value that begins with the tag. */
export interface OrderRange {
  readonly tag: string;
  /** Ids below the tag are hashes, and their first characters are enough. */
  readonly idCharsMax: number;
}

/**
 * The narrowest question that has an answer for the filter. What it does not ask is looked at in what it gives. Of several
 * fields the one that says most is asked: a name tells more than a status.
 */
export function orderRange(names: Names, { filter, keys, order }: CheckedFind): OrderRange | undefined {
  const { type, session, tool, source } = filter;
  const idCharsMax = storeLimits.orderIdCharsMax;
  const key = keys.toSorted((a, b) => b.length - a.length)[0];
  if (type !== undefined && order === "newest") return { tag: newestTag(names, type, key), idCharsMax };
  if (type !== undefined && key !== undefined) return { tag: whereTag(names, type, key), idCharsMax };
  if (session !== undefined) {
    return {
      tag: type === undefined ? names.orderTag("session", session) : typeInSession(names, session, type),
      idCharsMax,
    };
  }
  if (source !== undefined) {
    const folder = foldersOf(source.pathPrefix ?? "").at(-1) ?? "";
    return { tag: folderTag(names, { ...source, folder }), idCharsMax: storeLimits.orderHashCharsMax };
  }
  if (tool !== undefined) return { tag: names.orderTag("tool", tool), idCharsMax };
  return type === undefined ? undefined : { tag: names.orderTag("type", type), idCharsMax };
}

const digits = 16;

/** A place in the order of newest first, as a text that sorts like it. */
export function newestText({ newest, id }: FindPlace): string {
  return `${`${Number.MAX_SAFE_INTEGER - newest}`.padStart(digits, "0")}${id}`;
}

/** Where an id stands within a range, or would stand. */
export function orderValueIn({ tag, idCharsMax }: OrderRange, id: string): string {
  return `${tag} ${inOrder(id, idCharsMax)}`;
}

/** Greater than every value of the range. */
export const orderEnd = ({ tag }: OrderRange): string => `${tag}!`;

const orderValue = (tag: string, id: string): string =>
  orderValueIn({ tag, idCharsMax: storeLimits.orderIdCharsMax }, id);

const hashedIdValue = (tag: string, id: string): string =>
  orderValueIn({ tag, idCharsMax: storeLimits.orderHashCharsMax }, id);

/** How new the object of a value is that sorts newest first. */
export function newestIn(value: string): number {
  const start = value.indexOf(" ") + 1;
  return Number.MAX_SAFE_INTEGER - Number(value.slice(start, start + digits));
}

const whereTag = (names: Names, type: string, key: string): string =>
  names.orderTag("where", `${type.length}|${type}|${key}`);

const newestTag = (names: Names, type: string, key = ""): string =>
  names.orderTag("newest", `${type.length}|${type}|${key}`);

const typeInSession = (names: Names, session: string, type: string): string =>
  names.orderTag("type in session", `${session}|${type}`);

function folderTag(
  names: Names,
  { type, namespace, folder }: { readonly type: string; readonly namespace?: string; readonly folder: string },
): string {
  const place =
    namespace === undefined ? `${type.length}|${type}` : `${type.length}|${type}|${namespace.length}|${namespace}`;
  return names.orderTag(namespace === undefined ? "below" : "below in place", `${place}|${folder}`);
}

/** The folders of a path, outermost first: the root of the place, which is empty, and each beginning up to a slash. */
function foldersOf(path: string): readonly string[] {
  const folders = [""];
  for (let slash = path.indexOf("/", 1); slash !== -1; slash = path.indexOf("/", slash + 1)) {
    if (folders.length === storeLimits.orderFoldersMax) break;
    folders.push(path.slice(0, slash + 1));
  }
  return folders;
}

/**
 * An id in ASCII, cut, so that XTDB's order of bytes is that of UTF-16 units, and no value is longer than what its
 * indexes can range over.
 */
function inOrder(id: string, charsMax: number): string {
  let text = "";
  for (let place = 0; place < id.length && text.length < charsMax; place += 1) {
    const unit = id.charCodeAt(place);
    text += unit < 0x7e ? id.charAt(place) : `~${unit.toString(16).padStart(4, "0")}`;
  }
  return text.slice(0, charsMax);
}

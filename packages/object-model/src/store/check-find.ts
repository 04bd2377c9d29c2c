import { type IndexEntry, indexKeysOf } from "../documents/index-entry.ts";
import type { DocumentTypes } from "../documents/types.ts";
import { CmError, isCmError } from "../errors.ts";
import { limits } from "../limits.ts";
import { checkFilter } from "./check-input.ts";
import { pageRows } from "./checks.ts";
import type { Filter, FindOptions } from "./contract.ts";
import { overLimit } from "./refusals.ts";

/** Where an object stands in an answer. In the order of ids all are equally new: 0. */
export interface FindPlace {
  readonly newest: number;
  readonly id: string;
}

/** A question whose filter was checked, ready for any store: plain data, which may go to another thread. */
export interface CheckedFind {
  readonly filter: Filter;
  /** The keys of the filter's `where`: a version meets it when its index entry has them all. */
  readonly keys: readonly string[];
  readonly order: "id" | "newest";
  readonly limit: number;
  readonly documents: boolean;
  /** The page begins after this place. */
  readonly after: FindPlace | undefined;
}

/**
 * The checks of a `find` that all stores make.
 * @throws CmError `store/invalid-input`; `store/unsupported` for a filter that would look at every object, or that asks for what its type does
 * not declare; `store/limit`
 */
export function checkFind(filter: Filter, options: FindOptions, types: DocumentTypes): CheckedFind {
  const limit = pageRows(options);
  checkFilter(filter, options);
  const { order = "id", cursor, documents = false } = options;
  const { type, session, source, where, text, path } = filter;
  if (type === undefined && session === undefined && source === undefined) {
    throw unsupported("A filter names at least one of type, session and source; add one.");
  }
  const declared = type === undefined ? undefined : types.get(type)?.indexed;
  const undeclared = Object.keys(where ?? {}).find((field) => declared?.fields.includes(field) !== true);
  if (undeclared !== undefined) {
    throw unsupported("A filter's `where` names a field that its type does not declare as indexed; leave it out.");
  }
  const isSearch = text !== undefined || path !== undefined || source !== undefined;
  if (order === "newest" && (declared?.newest === undefined || isSearch)) {
    throw unsupported(
      "There is no order of newest first for what the type does not declare it, nor for text and paths.",
    );
  }
  const keys = where === undefined ? [] : keysOf(where);
  return { filter, keys, order, limit, documents, after: placeOf(order, cursor) };
}

/** Newest first, then by UTF-16 units of the id. */
export const compareFindPlaces = (a: FindPlace, b: FindPlace): number =>
  b.newest - a.newest || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** The place of an object in the order of an answer. */
export const findPlace = (order: CheckedFind["order"], id: string, entry: IndexEntry | undefined): FindPlace => ({
  newest: order === "newest" ? (entry?.newest ?? 0) : 0,
  id,
});

/** The cursor after a place. */
export const findCursor = (order: CheckedFind["order"], { newest, id }: FindPlace): string =>
  order === "newest" ? `${newest}:${id}` : id;

/** A cursor that is none starts from the first. */
function placeOf(order: CheckedFind["order"], cursor: string | undefined): FindPlace | undefined {
  if (cursor === undefined) return undefined;
  if (order === "id") return { newest: 0, id: cursor };
  const [, newest, id = ""] = /^(0|[1-9][0-9]{0,15}):(.*)$/s.exec(cursor) ?? [];
  return newest === undefined ? undefined : { newest: Number(newest), id };
}

function keysOf(where: Readonly<Record<string, unknown>>): readonly string[] {
  try {
    const keys = indexKeysOf(where);
    if (keys.length > limits.whereKeysMax) throw overLimit("whereKeysMax", keys.length);
    return keys;
  } catch (error) {
    if (isCmError(error, "model/not-canonical")) throw unsupported("A filter's `where` is not JSON; give plain data.");
    if (isCmError(error, "model/limit")) throw overLimit("whereKeysMax", limits.whereKeysMax + 1);
    throw error;
  }
}

const unsupported = (message: string): CmError<"store/unsupported"> => new CmError("store/unsupported", message);

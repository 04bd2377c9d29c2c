import {
  type CheckedFind,
  defined,
  type Filter,
  type FindPage,
  filterMatcher,
  findCursor,
  refusals,
} from "@cm/object-model";
import { decodeContent, fromOrderedText } from "@cm/object-model/stored-form";
import { clockOf } from "./commit.ts";
import type { Database } from "./database.ts";
import { endOfPrefix, toDatabaseText } from "./database-text.ts";
import { storeLimits } from "./limits.ts";
import { everyObject, fieldKey } from "./prepare-commit.ts";
import type { Candidates } from "./text-index/candidates.ts";
import type { TextIndex } from "./text-index/text-index.ts";
import { foldText } from "./text-index/trigrams.ts";
import { basisOf } from "./tokens.ts";
import { listedVersion, type VersionRow } from "./version-rows.ts";

/** Where a list stands: its moment, which all its fetches share, and the id after which it goes on. */
interface Place {
  readonly cursor: string;
  readonly txId: number | null;
  readonly validMs: number | null;
}

interface Fetched {
  readonly txId: number;
  readonly validMs: number;
  readonly rows: readonly VersionRow[];
}

export interface FindSetting {
  readonly find: CheckedFind;
  readonly now: (() => number) | undefined;
  readonly texts: TextIndex;
}

/**
 * A page of the objects that meet the filter, with one statement; a search for a text asks the index before, and may take
 * several.
 */
export async function findPage(database: Database, setting: FindSetting): Promise<FindPage> {
  const { filter, order, limit, documents, after } = setting.find;
  const start = { cursor: toDatabaseText(after?.id ?? ""), txId: null, validMs: null };
  const { txId, rows: found } =
    filter.text !== undefined
      ? await searchRows(database, { ...filter, text: filter.text }, { place: start, setting })
      : filter.where !== undefined || order === "newest"
        ? await fetchByFields(database, setting)
        : await fetchRows(database, filter, { place: start, setting, limit: limit + 1 });
  const rows: readonly (VersionRow & { readonly newest?: number })[] = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return {
    versions: rows.map((row) => listedVersion(row, documents)),
    basis: basisOf(txId),
    ...defined({
      next: last && findCursor(order, { newest: last.newest ?? 0, id: fromOrderedText(last.id) }),
    }),
  };
}

interface Fetch {
  readonly place: Place;
  readonly setting: FindSetting;
  readonly limit: number;
}

/** By what the type declares: newest first, or by id where its fields are asked. */
async function fetchByFields(database: Database, { find, now }: FindSetting): Promise<Fetched> {
  const { filter, keys, order, limit, documents, after } = find;
  const { type = "" } = filter;
  const [, ...others] = conditions(filter);
  const newest = order === "newest" ? (after?.newest ?? Number.MAX_SAFE_INTEGER) : null;
  const values = [
    (keys.length === 0 ? [everyObject] : keys).map((key) => fieldKey(type, key)),
    ...others,
    ...[newest, toDatabaseText(after?.id ?? ""), clockOf(now), limit + 1, documents],
  ];
  return fetched(database, "find_fields_1", values);
}

async function fetchRows(database: Database, filter: Filter, { place, setting, limit }: Fetch): Promise<Fetched> {
  const when = [place.cursor, place.txId, place.validMs, clockOf(setting.now), limit];
  const isText = filter.text !== undefined;
  const values = [...conditions(filter), isText, ...when, isText || setting.find.documents];
  return fetched(database, "find_1", values);
}

/** Of what the rest of the filter meets the objects with a text that may be asked for. */
async function fetchCandidates(
  database: Database,
  filter: Filter,
  { place, setting, limit, candidates }: Fetch & { readonly candidates: Candidates },
): Promise<Fetched> {
  const few = candidates.few(storeLimits.searchCandidatesMax);
  const bits = few === undefined ? Buffer.from(candidates.bits) : null;
  const when = [place.cursor, place.txId, place.validMs, clockOf(setting.now), limit];
  return fetched(database, "find_text_1", [...conditions(filter), few ?? null, bits, candidates.last, ...when]);
}

function conditions({ type, session, tool, path, source }: Filter): readonly unknown[] {
  const from = toDatabaseText(source?.pathPrefix ?? "");
  return [...[type, session, tool, path, source?.type, source?.namespace].map(orNull), ...[from, endOfPrefix(from)]];
}

/** Of the function's rows the first is the moment. */
async function fetched(database: Database, name: string, values: readonly unknown[]): Promise<Fetched> {
  const sql = `SELECT * FROM ${database.schema}.${name}(${values.map((_, at) => `$${at + 1}`)})`;
  const found = await database.call((call) => call.rows<VersionRow>(sql, values), { lost: "nothing" });
  const [moment, ...rows] = found;
  return { txId: moment?.tx_id ?? 0, validMs: moment?.valid_from ?? 0, rows };
}

/**
 * Looks at the texts that the index names, or at every text that the rest of the filter meets, as the contract's reference does
 * it, until the page is full.
 * @throws CmError `store/corrupt` naming an object whose text cannot be decoded
 */
async function searchRows(
  database: Database,
  filter: Filter & { readonly text: string },
  { place, setting }: { readonly place: Place; readonly setting: FindSetting },
): Promise<Fetched> {
  const piece = foldText(filter.text);
  const candidates = await setting.texts.candidates(piece);
  const { where } = filter;
  const meets = filterMatcher({ ...defined({ where }) });
  const isMet = (row: VersionRow) => {
    const document = where === undefined ? undefined : listedVersion(row, true).document;
    return document === undefined || meets(document);
  };
  const found: VersionRow[] = [];
  for (let at = place; ; ) {
    const fetch = { place: at, setting, limit: storeLimits.searchRowsAtOnce };
    const { txId, validMs, rows } =
      candidates === undefined
        ? await fetchRows(database, filter, fetch)
        : await fetchCandidates(database, filter, { ...fetch, candidates });
    for (const row of rows) {
      if (foldText(textOf(row)).includes(piece) && isMet(row)) found.push(row);
      if (found.length > setting.find.limit) return { txId, validMs, rows: found };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < storeLimits.searchRowsAtOnce) return { txId, validMs, rows: found };
    at = { cursor: toDatabaseText(fromOrderedText(last.id)), txId, validMs };
  }
}

function textOf({ id, content_size, content_enc, content_data }: VersionRow): string {
  if (content_size === null || content_enc === null || content_data === null) return "";
  try {
    return decodeContent({ size: content_size, enc: content_enc, data: content_data });
  } catch {
    throw refusals.corruptObject(fromOrderedText(id), "content");
  }
}

const orNull = (text: string | undefined): string | null => (text === undefined ? null : toDatabaseText(text));

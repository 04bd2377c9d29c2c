import {
  type CheckedFind,
  defined,
  type Filter,
  type FindPage,
  findCursor,
  type ListedVersion,
} from "@cm/object-model";
import { type Datalog, datalog, type EdnOutput } from "@cm/xtdb-client";
import { basisOf } from "./basis.ts";
import type { Database } from "./database.ts";
import { storeLimits } from "./limits.ts";
import { atOf, type Moment, momentOf } from "./moment.ts";
import { newestText, placeOfNewestText, whereKeys } from "./object-entity.ts";
import { documentIn, type FoundVersion, versionsAt } from "./read-versions.ts";

/**
 * Objects that have all the given keys, by id in UTF-16 units, which is how XTDB orders strings. `cm/object` is bound to
 * no index range: XTDB's ranges leave out strings over 224 bytes.
 */
const byKeys: readonly Datalog[] = [
  datalog`{:find [o] :in [k cursor] :where [[e :cm/keys k] [e :cm/object o] [(compare o cursor) c] [(pos? c)]]
    :order-by [[o :asc]] :limit 1001}`,
  datalog`{:find [o] :in [k l cursor] :where [[e :cm/keys k] [e :cm/keys l] [e :cm/object o] [(compare o cursor) c] [(pos? c)]]
    :order-by [[o :asc]] :limit 1001}`,
  datalog`{:find [o] :in [k l m cursor] :where [[e :cm/keys k] [e :cm/keys l] [e :cm/keys m] [e :cm/object o]
    [(compare o cursor) c] [(pos? c)]] :order-by [[o :asc]] :limit 1001}`,
  datalog`{:find [o] :in [k l m n cursor] :where [[e :cm/keys k] [e :cm/keys l] [e :cm/keys m] [e :cm/keys n]
    [e :cm/object o] [(compare o cursor) c] [(pos? c)]] :order-by [[o :asc]] :limit 1001}`,
];

/** The same with their paths, all of them: pieces and beginnings of paths are looked for here. */
const byKeysWithPath: readonly Datalog[] = [
  datalog`{:find [o p] :in [k] :where [[e :cm/keys k] [e :cm/object o] [e :path p]]}`,
  datalog`{:find [o p] :in [k l] :where [[e :cm/keys k] [e :cm/keys l] [e :cm/object o] [e :path p]]}`,
  datalog`{:find [o p] :in [k l m] :where [[e :cm/keys k] [e :cm/keys l] [e :cm/keys m] [e :cm/object o] [e :path p]]}`,
  datalog`{:find [o p] :in [k l m n] :where [[e :cm/keys k] [e :cm/keys l] [e :cm/keys m] [e :cm/keys n] [e :cm/object o]
    [e :path p]]}`,
];

/** Objects that have all the given keys, newest first: `cm/newest` sorts that way. */
const byKeysNewest: readonly Datalog[] = [
  datalog`{:find [s] :in [k cursor] :where [[e :cm/keys k] [e :cm/newest s] [(compare s cursor) c] [(pos? c)]]
    :order-by [[s :asc]] :limit 1001}`,
  datalog`{:find [s] :in [k l cursor] :where [[e :cm/keys k] [e :cm/keys l] [e :cm/newest s] [(compare s cursor) c] [(pos? c)]]
    :order-by [[s :asc]] :limit 1001}`,
  datalog`{:find [s] :in [k l m cursor] :where [[e :cm/keys k] [e :cm/keys l] [e :cm/keys m] [e :cm/newest s]
    [(compare s cursor) c] [(pos? c)]] :order-by [[s :asc]] :limit 1001}`,
  datalog`{:find [s] :in [k l m n cursor] :where [[e :cm/keys k] [e :cm/keys l] [e :cm/keys m] [e :cm/keys n]
    [e :cm/newest s] [(compare s cursor) c] [(pos? c)]] :order-by [[s :asc]] :limit 1001}`,
];

interface Search {
  readonly find: CheckedFind;
  readonly filter: Filter;
  readonly keys: readonly string[];
  readonly moment: Moment;
}

/** @throws CmError `store/corrupt` */
export async function findPage(database: Database, find: CheckedFind): Promise<FindPage> {
  const { filter, limit, documents } = find;
  const moment = await momentOf(database, undefined);
  const basis = basisOf(moment.tx);
  const keys = keysOf(database, find);
  // Text that is no Unicode is nowhere in the database.
  if (keys.some((key) => !key.isWellFormed())) return { versions: [], basis };
  const found = await matches(database, { find, filter, keys, moment });
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  const versions = rows.map(({ version }): ListedVersion => {
    return documents ? { ...version.stamp, document: documentIn(version) } : version.stamp;
  });
  return { versions, basis, ...defined({ next: last === undefined ? undefined : cursorOf(find, last.place) }) };
}

/** Where an object stands in the order that is asked for: its id, or what sorts newest first. */
type PlaceText = string;

interface Match {
  readonly place: PlaceText;
  readonly version: FoundVersion;
}

/** One match more than the page holds, to know whether more follow. */
async function matches(database: Database, search: Search): Promise<readonly Match[]> {
  const { find, moment } = search;
  const { limit, documents: texts } = find;
  const found: Match[] = [];
  for (let after = startOf(find); ; ) {
    const places = await candidates(database, search, after);
    for (let from = 0; from < places.length && found.length <= limit; from += limit + 1) {
      const some = places.slice(from, from + limit + 1).map((place) => ({ place, id: idOf(find, place) }));
      const ids = some.map(({ id }) => id);
      const { versions } = await versionsAt(database, ids, { moment, texts });
      for (const { place, id } of some) {
        const version = versions.get(id);
        if (version !== undefined && isMatch(version, place, search)) found.push({ place, version });
      }
    }
    const last = places.at(-1);
    if (
      found.length > limit ||
      last === undefined ||
      isAsked(search.filter) ||
      places.length < storeLimits.candidatesMax
    ) {
      return found.slice(0, limit + 1);
    }
    after = last;
  }
}

/** Places that may match, in order, after the cursor: all that do and some whose version was erased or replaced. */
async function candidates(
  { client }: Database,
  { find, filter, keys, moment }: Search,
  cursor: PlaceText,
): Promise<PlaceText[]> {
  const at = atOf(moment);
  const queries = isAsked(filter) ? byKeysWithPath : find.order === "newest" ? byKeysNewest : byKeys;
  // The others are looked for in what is found.
  const some = keys.slice(0, queries.length);
  const query = queries[some.length - 1];
  if (at === undefined || query === undefined) return [];
  // A cursor cut before what cannot be sent lies further ahead; what it lets through is left out below.
  const args = isAsked(filter) ? some : [...some, wellFormedStart(cursor)];
  const rows = await client.query(query, args, { ...at, parse: stringsOf });
  const places = rows.flatMap(([place, path]) =>
    place !== undefined && place > cursor && (path === undefined || isAskedPath(path, filter)) ? [place] : [],
  );
  return [...new Set(places)].sort();
}

const startOf = ({ order, after }: CheckedFind): PlaceText =>
  after === undefined ? "" : order === "newest" ? newestText(after) : after.id;

const idOf = ({ order }: CheckedFind, place: PlaceText): string =>
  order === "newest" ? placeOfNewestText(place).id : place;

const cursorOf = ({ order }: CheckedFind, place: PlaceText): string =>
  findCursor(order, order === "newest" ? placeOfNewestText(place) : { newest: 0, id: place });

/** Whether paths are asked for. */
const isAsked = ({ path, source }: Filter): boolean => path !== undefined || source?.pathPrefix !== undefined;

function isAskedPath(path: string, filter: Filter): boolean {
  const { source } = filter;
  return (
    (filter.path === undefined || path.includes(filter.path)) &&
    (source?.pathPrefix === undefined || path.startsWith(source.pathPrefix))
  );
}

function isMatch({ facts, entity }: FoundVersion, place: PlaceText, { find, filter, keys }: Search): boolean {
  const has = new Set(facts.keys);
  return (
    keys.every((key) => has.has(key)) &&
    (!isAsked(filter) || isAskedPath(facts.path ?? "", filter)) &&
    (find.order === "id" || entity["cm/newest"] === place)
  );
}

/** The conditions that are equalities, those that few objects meet first. A path belongs to a source, of whatever kind. */
function keysOf({ names }: Database, { filter: { type, session, tool, source }, keys: where }: CheckedFind): string[] {
  const keys: string[] = type === undefined ? [] : whereKeys(names, type, where);
  if (session !== undefined) keys.push(names.key("session", session));
  if (tool !== undefined) keys.push(names.key("tool", tool));
  if (source !== undefined) {
    const { namespace } = source;
    keys.push(namespace === undefined ? names.key("source", source.type) : names.placeKey(source.type, namespace));
  }
  if (type !== undefined) keys.push(names.key("type", type));
  return keys;
}

function stringsOf(row: EdnOutput): readonly string[] {
  return Array.isArray(row) ? row.map(String) : [];
}

function wellFormedStart(text: string): string {
  if (text.isWellFormed()) return text;
  let end = 0;
  while (end < text.length && text.slice(0, end + 1).isWellFormed()) end += 1;
  return text.slice(0, end);
}

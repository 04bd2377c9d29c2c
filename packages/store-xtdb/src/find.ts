import { defined, type Filter, type FindPage, type ListedVersion, type Page } from "@cm/object-model";
import { type Datalog, datalog, type EdnOutput } from "@cm/xtdb-client";
import { basisOf } from "./basis.ts";
import type { Database } from "./database.ts";
import { storeLimits } from "./limits.ts";
import { atOf, type Moment, momentOf } from "./moment.ts";
import type { EntityFacts } from "./read-entity.ts";
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

interface Search {
  readonly filter: Filter;
  readonly keys: readonly string[];
  readonly moment: Moment;
}

/** @throws CmError `store/corrupt` */
export async function findPage(
  database: Database,
  filter: Filter,
  page: Page & { readonly limit: number },
): Promise<FindPage> {
  const moment = await momentOf(database, undefined);
  const basis = basisOf(moment.tx);
  const keys = keysOf(database, filter);
  // Text that is no Unicode is nowhere in the database.
  if (keys.some((key) => !key.isWellFormed())) return { versions: [], basis };
  const found = await matches(database, { filter, keys, moment }, page);
  const rows = found.slice(0, page.limit);
  const next = found.length > page.limit ? rows.at(-1)?.stamp.id : undefined;
  const versions = rows.map((row): ListedVersion => {
    return page.documents === true ? { ...row.stamp, document: documentIn(row) } : row.stamp;
  });
  return { versions, basis, ...defined({ next }) };
}

/** One match more than the page holds, to know whether more follow. */
async function matches(
  database: Database,
  search: Search,
  { cursor = "", limit, documents: texts = false }: Page & { readonly limit: number },
): Promise<readonly FoundVersion[]> {
  const found: FoundVersion[] = [];
  for (let after = cursor; ; ) {
    const ids = await candidates(database, search, after);
    for (let from = 0; from < ids.length && found.length <= limit; from += limit + 1) {
      const some = ids.slice(from, from + limit + 1);
      const { versions } = await versionsAt(database, some, { moment: search.moment, texts });
      for (const id of some) {
        const version = versions.get(id);
        if (version !== undefined && isMatch(version.facts, search)) found.push(version);
      }
    }
    const last = ids.at(-1);
    if (
      found.length > limit ||
      last === undefined ||
      isAsked(search.filter) ||
      ids.length < storeLimits.candidatesMax
    ) {
      return found.slice(0, limit + 1);
    }
    after = last;
  }
}

/** Objects that may match, in order, after the cursor: all that do and some whose version was erased or replaced. */
async function candidates({ client }: Database, { filter, keys, moment }: Search, cursor: string): Promise<string[]> {
  const at = atOf(moment);
  const queries = isAsked(filter) ? byKeysWithPath : byKeys;
  const query = queries[keys.length - 1];
  if (at === undefined || query === undefined) return [];
  // A cursor cut before what cannot be sent lies further ahead; what it lets through is left out below.
  const args = isAsked(filter) ? keys : [...keys, wellFormedStart(cursor)];
  const rows = await client.query(query, args, { ...at, parse: stringsOf });
  const ids = rows.flatMap(([id, path]) =>
    id !== undefined && id > cursor && (path === undefined || isAskedPath(path, filter)) ? [id] : [],
  );
  return [...new Set(ids)].sort();
}

/** Whether paths are asked for. */
const isAsked = ({ path, source }: Filter): boolean => path !== undefined || source?.pathPrefix !== undefined;

function isAskedPath(path: string, filter: Filter): boolean {
  const { source } = filter;
  return (
    (filter.path === undefined || path.includes(filter.path)) &&
    (source?.pathPrefix === undefined || path.startsWith(source.pathPrefix))
  );
}

function isMatch({ keys, path }: EntityFacts, search: Search): boolean {
  const has = new Set(keys);
  return (
    search.keys.every((key) => has.has(key)) && (!isAsked(search.filter) || isAskedPath(path ?? "", search.filter))
  );
}

/** The conditions that are equalities. A path belongs to a source, of whatever kind. */
function keysOf({ names }: Database, { type, session, tool, source }: Filter): string[] {
  const keys: string[] = [];
  if (type !== undefined) keys.push(names.key("type", type));
  if (session !== undefined) keys.push(names.key("session", session));
  if (tool !== undefined) keys.push(names.key("tool", tool));
  if (source !== undefined) {
    const { namespace } = source;
    keys.push(namespace === undefined ? names.key("source", source.type) : names.placeKey(source.type, namespace));
  }
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

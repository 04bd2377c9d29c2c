import { defined, type Filter, type FindPage, type ListedVersion, type Page } from "@cm/object-model";
import { type Datalog, datalog, type EdnOutput } from "@cm/xtdb-client";
import { basisOf } from "./basis.ts";
import type { Database } from "./database.ts";
import { atOf, type Moment, momentOf } from "./moment.ts";
import { type OrderRange, orderEnd, orderRange, orderValueIn } from "./order.ts";
import { upgradeOrder } from "./order-upgrade.ts";
import type { EntityFacts } from "./read-entity.ts";
import { documentIn, type FoundVersion, versionsAt } from "./read-versions.ts";

/**
 * Objects by their place in the index, from one place on. `cm/order` is what the engine walks along first, and it stops
 * at the limit: what it costs is what it gives, however many objects there are.
 */
const inRange: readonly (readonly [rows: number, query: Datalog])[] = [
  [
    16,
    datalog`{:find [v o] :in [from to] :where [[e :cm/order v] [(>= v from)] [(< v to)] [e :cm/object o]] :limit 16}`,
  ],
  [
    256,
    datalog`{:find [v o] :in [from to] :where [[e :cm/order v] [(>= v from)] [(< v to)] [e :cm/object o]] :limit 256}`,
  ],
  [
    1_024,
    datalog`{:find [v o] :in [from to] :where [[e :cm/order v] [(>= v from)] [(< v to)] [e :cm/object o]] :limit 1024}`,
  ],
];

/** The same for an engine that walks in another order. */
const inRangeSorted = datalog`{:find [v o] :in [from to] :where [[e :cm/order v] [(>= v from)] [(< v to)] [e :cm/object o]]
  :order-by [[v :asc]] :limit 1024}`;

/** All objects that have one place, such as ids that are alike for more characters than a place has. */
const atPlace = datalog`{:find [v o] :in [v] :where [[e :cm/order v] [e :cm/object o]]}`;

interface Search {
  readonly filter: Filter;
  readonly keys: readonly string[];
  readonly range: OrderRange;
  readonly moment: Moment;
}

/** @throws CmError `store/corrupt` */
export async function findPage(
  database: Database,
  filter: Filter,
  page: Page & { readonly limit: number },
): Promise<FindPage> {
  await upgradeOrder(database);
  const moment = await momentOf(database, undefined);
  const basis = basisOf(moment.tx);
  const keys = keysOf(database, filter);
  // Text that is no Unicode is nowhere in the database.
  const range = orderRange(database.names, filter);
  if (range === undefined || keys.some((key) => !key.isWellFormed())) return { versions: [], basis };
  const found = await matches(database, { filter, keys, range, moment }, page);
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
  for (let from = orderValueIn(search.range, cursor); ; ) {
    const { ids, next } = await candidates(database, search, { from, rows: limit + 2 });
    const ahead = ids.filter((id) => id > cursor);
    for (let start = 0; start < ahead.length && found.length <= limit; start += limit + 1) {
      const some = ahead.slice(start, start + limit + 1);
      const { versions } = await versionsAt(database, some, { moment: search.moment, texts });
      for (const id of some) {
        const version = versions.get(id);
        if (version !== undefined && isMatch(version.facts, search)) found.push(version);
      }
    }
    if (found.length > limit || next === undefined) return found.slice(0, limit + 1);
    from = next;
  }
}

interface Candidates {
  /** In order, each once. */
  readonly ids: readonly string[];
  /** Where the index goes on; `undefined` at the end of the range. */
  readonly next: string | undefined;
}

/** Objects that may match, from a place on: all that do and some whose version was erased or replaced. */
async function candidates(
  database: Database,
  { range, moment }: Search,
  { from, rows: wanted }: { readonly from: string; readonly rows: number },
): Promise<Candidates> {
  const { client } = database;
  const at = atOf(moment);
  if (at === undefined) return { ids: [], next: undefined };
  const to = orderEnd(range);
  const [limit, query] = inRange.find(([rows]) => rows >= wanted) ?? [1_024, inRangeSorted];
  let rows = await client.query(query, [from, to], { ...at, parse: rowOf });
  if (rows.length < limit) return { ids: inOrder(rows), next: undefined };
  if (!isSorted(rows)) rows = await client.query(inRangeSorted, [from, to], { ...at, parse: rowOf });
  const last = rows.at(-1)?.place ?? to;
  // More objects may have the last place than the rows that were let through.
  const whole = rows.filter(({ place }) => place !== last);
  if (whole.length > 0) return { ids: inOrder(whole), next: last };
  const all = await client.query(atPlace, [last], { ...at, parse: rowOf });
  return { ids: inOrder(all), next: `${last}\u0000` };
}

interface Row {
  readonly place: string;
  readonly id: string;
}

const isSorted = (rows: readonly Row[]): boolean =>
  rows.every(({ place }, index) => index === 0 || place >= (rows[index - 1]?.place ?? ""));

const inOrder = (rows: readonly Row[]): readonly string[] => [...new Set(rows.map(({ id }) => id))].sort();

function isMatch({ keys, path = "" }: EntityFacts, { keys: asked, filter }: Search): boolean {
  const has = new Set(keys);
  return (
    asked.every((key) => has.has(key)) &&
    (filter.path === undefined || path.includes(filter.path)) &&
    (filter.source?.pathPrefix === undefined || path.startsWith(filter.source.pathPrefix))
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

function rowOf(row: EdnOutput): Row {
  const [place, id] = Array.isArray(row) ? row : [];
  return { place: String(place), id: String(id) };
}

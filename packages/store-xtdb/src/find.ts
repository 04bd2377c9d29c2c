import {
  type CheckedFind,
  compareFindPlaces,
  defined,
  type FindPage,
  type FindPlace,
  findCursor,
  type ListedVersion,
} from "@cm/object-model";
import { type Datalog, datalog, type EdnOutput } from "@cm/xtdb-client";
import { basisOf } from "./basis.ts";
import type { Database } from "./database.ts";
import { atOf, type Moment, momentOf } from "./moment.ts";
import { whereKeys } from "./object-entity.ts";
import { newestIn, newestText, type OrderRange, orderEnd, orderRange, orderValueIn } from "./order.ts";
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
  readonly find: CheckedFind;
  readonly keys: readonly string[];
  readonly range: OrderRange;
  readonly moment: Moment;
}

/** @throws CmError `store/corrupt` */
export async function findPage(database: Database, find: CheckedFind): Promise<FindPage> {
  await upgradeOrder(database);
  const moment = await momentOf(database, undefined);
  const basis = basisOf(moment.tx);
  const keys = keysOf(database, find);
  // Text that is no Unicode is nowhere in the database.
  const range = orderRange(database.names, find);
  if (range === undefined || keys.some((key) => !key.isWellFormed())) return { versions: [], basis };
  const found = await matches(database, { find, keys, range, moment });
  const rows = found.slice(0, find.limit);
  const last = found.length > find.limit ? rows.at(-1) : undefined;
  const versions = rows.map(({ version }): ListedVersion => {
    return find.documents ? { ...version.stamp, document: documentIn(version) } : version.stamp;
  });
  return { versions, basis, ...defined({ next: last === undefined ? undefined : findCursor(find.order, last.place) }) };
}

interface Match {
  readonly place: FindPlace;
  readonly version: FoundVersion;
}

/** One match more than the page holds, to know whether more follow. */
async function matches(database: Database, search: Search): Promise<readonly Match[]> {
  const { after, limit, order, documents: texts } = search.find;
  const found: Match[] = [];
  const start = after === undefined ? "" : order === "newest" ? newestText(after) : after.id;
  for (let from = orderValueIn(search.range, start); ; ) {
    const { places, next } = await candidates(database, search, { from, rows: limit + 2 });
    const ahead = after === undefined ? places : places.filter((place) => compareFindPlaces(place, after) > 0);
    for (let first = 0; first < ahead.length && found.length <= limit; first += limit + 1) {
      const some = ahead.slice(first, first + limit + 1);
      const ids = [...new Set(some.map(({ id }) => id))];
      const { versions } = await versionsAt(database, ids, { moment: search.moment, texts });
      for (const place of some) {
        const version = versions.get(place.id);
        if (version !== undefined && isMatch(version.facts, place, search)) found.push({ place, version });
      }
    }
    if (found.length > limit || next === undefined) return found.slice(0, limit + 1);
    from = next;
  }
}

interface Candidates {
  /** In the order of the answer, each once. */
  readonly places: readonly FindPlace[];
  /** Where the index goes on; `undefined` at the end of the range. */
  readonly next: string | undefined;
}

/** Objects that may match, from a value on: all that do and some whose version was erased or replaced. */
async function candidates(
  database: Database,
  { find, range, moment }: Search,
  { from, rows: wanted }: { readonly from: string; readonly rows: number },
): Promise<Candidates> {
  const { client } = database;
  const at = atOf(moment);
  if (at === undefined) return { places: [], next: undefined };
  const to = orderEnd(range);
  const [limit, query] = inRange.find(([rows]) => rows >= wanted) ?? [1_024, inRangeSorted];
  let rows = await client.query(query, [from, to], { ...at, parse: rowOf });
  if (rows.length < limit) return { places: inOrder(find, rows), next: undefined };
  if (!isSorted(rows)) rows = await client.query(inRangeSorted, [from, to], { ...at, parse: rowOf });
  const last = rows.at(-1)?.value ?? to;
  // More objects may have the last value than the rows that were let through.
  const whole = rows.filter(({ value }) => value !== last);
  if (whole.length > 0) return { places: inOrder(find, whole), next: last };
  const all = await client.query(atPlace, [last], { ...at, parse: rowOf });
  return { places: inOrder(find, all), next: `${last}\u0000` };
}

interface Row {
  readonly value: string;
  readonly id: string;
}

const isSorted = (rows: readonly Row[]): boolean =>
  rows.every(({ value }, index) => index === 0 || value >= (rows[index - 1]?.value ?? ""));

function inOrder({ order }: CheckedFind, rows: readonly Row[]): readonly FindPlace[] {
  const places = new Map<string, FindPlace>();
  for (const { value, id } of rows) {
    const newest = order === "newest" ? newestIn(value) : 0;
    places.set(`${newest} ${id}`, { newest, id });
  }
  return [...places.values()].sort(compareFindPlaces);
}

function isMatch({ keys, path, newest }: EntityFacts, place: FindPlace, { find, keys: asked }: Search): boolean {
  const { filter, order } = find;
  const has = new Set(keys);
  return (
    asked.every((key) => has.has(key)) &&
    (filter.path === undefined || path?.includes(filter.path) === true) &&
    (filter.source?.pathPrefix === undefined || path?.startsWith(filter.source.pathPrefix) === true) &&
    (order === "id" || newest === place.newest)
  );
}

/** The conditions that are equalities. A path belongs to a source, of whatever kind. */
function keysOf({ names }: Database, { filter: { type, session, tool, source }, keys: where }: CheckedFind): string[] {
  const keys: string[] = type === undefined ? [] : [names.key("type", type), ...whereKeys(names, type, where)];
  if (session !== undefined) keys.push(names.key("session", session));
  if (tool !== undefined) keys.push(names.key("tool", tool));
  if (source !== undefined) {
    const { namespace } = source;
    keys.push(namespace === undefined ? names.key("source", source.type) : names.placeKey(source.type, namespace));
  }
  return keys;
}

function rowOf(row: EdnOutput): Row {
  const [value, id] = Array.isArray(row) ? row : [];
  return { value: String(value), id: String(id) };
}

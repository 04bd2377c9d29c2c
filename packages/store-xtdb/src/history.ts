import { defined, type HistoryPage, type ListedVersion, type Page, refusals } from "@cm/object-model";
import type { HistoryEntry, StoredDocument } from "@cm/xtdb-client";
import type { Database } from "./database.ts";
import { always, documents } from "./queries.ts";
import { documentOf } from "./read-entity.ts";
import { listedStamp } from "./read-versions.ts";
import { type Revision, readRevision } from "./revision.ts";
import { type Stamp, stampOf, timelineOf } from "./timeline.ts";

/** A place in the list of writes, with what only that write has: a cursor of another object is none. */
interface Cursor {
  readonly n: number;
  readonly random: string;
}

/** All versions of an object, newest first. @throws CmError `store/corrupt` */
export async function historyPage(
  database: Database,
  id: string,
  page: Page & { readonly limit: number },
): Promise<HistoryPage> {
  const found = await stampsFrom(database, id, page);
  const stamps = found.slice(0, page.limit);
  const last = found.length > page.limit ? stamps.at(-1) : undefined;
  return {
    versions: page.documents === true ? await withDocuments(database, id, stamps) : stamps.map(listedVersion),
    ...defined({ next: last === undefined ? undefined : historyCursor(last) }),
  };
}

/** The place after a version. */
export const historyCursor = ({ facts }: Stamp): string => `${facts.n}.${facts.random}`;

export const listedVersion = (stamp: Stamp): ListedVersion => ({
  ...listedStamp(stamp),
  ...defined({ erased: stamp.erased }),
});

/** One stamp more than the page holds, to know whether more follow. */
async function stampsFrom(database: Database, id: string, page: Page & { readonly limit: number }): Promise<Stamp[]> {
  const cursor = readCursor(page.cursor);
  return (
    (await stampsInOrder(database, id, { cursor, rows: page.limit + 1 })) ?? (await stampsOfAll(database, id, cursor))
  );
}

/**
 * As long as valid times never went backwards and nothing was erased, the list of writes is the history: only the page
 * is read. `undefined` for other objects.
 */
async function stampsInOrder(
  database: Database,
  id: string,
  { cursor, rows }: { readonly cursor: Cursor | undefined; readonly rows: number },
): Promise<Stamp[] | undefined> {
  const { client, names } = database;
  if (cursor !== undefined && !(await isInOrder(database, id))) return undefined;
  const stamps: Stamp[] = [];
  const start = cursor === undefined ? {} : { start: new Date(cursor.n) };
  let isFirst = true;
  for await (const entry of client.history(names.revision(id), { order: "desc", ...start })) {
    const revision = revisionIn(id, entry.document);
    if (isFirst && !isInOrderRevision(revision)) return undefined;
    const { n, random } = revision.facts;
    const isCursor = isFirst && cursor !== undefined;
    isFirst = false;
    if (isCursor && (n !== cursor.n || random !== cursor.random)) return undefined;
    if (!isCursor) stamps.push(stampOf(id, revision, entry));
    if (stamps.length === rows) return stamps;
  }
  // Nothing from there on: no object, or no place of this one.
  return isFirst && cursor !== undefined ? undefined : stamps;
}

async function isInOrder(database: Database, id: string): Promise<boolean> {
  const name = database.names.revision(id);
  const newest = (await documents(database, [name], always)).get(name);
  return newest !== undefined && isInOrderRevision(revisionIn(id, newest));
}

const isInOrderRevision = ({ facts, isErasureMark }: Revision): boolean =>
  facts.isInValidTimeOrder && !isErasureMark && !facts.afterErasure;

function revisionIn(id: string, document: StoredDocument | null | undefined): Revision {
  const revision = document === null || document === undefined ? undefined : readRevision(document);
  if (revision === undefined) throw refusals.corruptObject(id, "list of versions");
  return revision;
}

async function stampsOfAll({ client, names }: Database, id: string, cursor: Cursor | undefined): Promise<Stamp[]> {
  const entries: HistoryEntry[] = [];
  for await (const entry of client.history(names.revision(id))) entries.push(entry);
  if (entries.length === 0) return [];
  const { stamps } = timelineOf(id, entries);
  const place = cursor === undefined ? -1 : stamps.findIndex(({ facts }) => facts.random === cursor.random);
  return stamps.slice(place + 1);
}

function readCursor(cursor: string | undefined): Cursor | undefined {
  const match = /^([1-9][0-9]{0,12})\.([\w-]{16})$/.exec(cursor ?? "");
  return match === null ? undefined : { n: Number(match[1]), random: match[2] ?? "" };
}

/** The versions that lived through an erasure of their object stand apart, all others in the object's own history. */
async function withDocuments(database: Database, id: string, stamps: readonly Stamp[]): Promise<ListedVersion[]> {
  const entities = await entitiesOf(
    database,
    id,
    stamps.filter(({ erased }) => erased === undefined),
  );
  const texts = await documents(database, textIdsOf([...entities.values()]), always);
  return stamps.map((stamp) => {
    if (stamp.erased !== undefined) return listedVersion(stamp);
    const entity = entities.get(stamp.token);
    if (entity === undefined) throw refusals.corruptObject(id, "document");
    return { ...listedVersion(stamp), document: documentOf(entity, texts.get(entity["cm/blob"])) };
  });
}

/** By token. */
export async function entitiesOf(
  database: Database,
  id: string,
  stamps: readonly Stamp[],
): Promise<ReadonlyMap<string, StoredDocument>> {
  const { client, names } = database;
  const wanted = new Map(stamps.map((stamp) => [stamp.token, stamp]));
  const found = new Map<string, StoredDocument>();
  const validTimes = stamps.map(({ validMs }) => validMs);
  if (validTimes.length === 0) return found;
  const start = new Date(validTimes.reduce((a, b) => Math.max(a, b)));
  const end = new Date(validTimes.reduce((a, b) => Math.min(a, b)) - 1);
  for await (const { document } of client.history(names.object(id), { order: "desc", start, end })) {
    const token = document?.["cm/token"];
    if (document === null || document === undefined || typeof token !== "string" || !wanted.delete(token)) continue;
    found.set(token, document);
    if (wanted.size === 0) return found;
  }
  const kept = await documents(
    database,
    [...wanted.values()].map(({ facts }) => names.kept(id, facts.n)),
    always,
  );
  for (const document of kept.values()) found.set(String(document["cm/token"]), document);
  return found;
}

export function textIdsOf(entities: readonly StoredDocument[]): readonly string[] {
  return [...new Set(entities.flatMap(({ "cm/blob": blob }) => (typeof blob === "string" ? [blob] : [])))];
}

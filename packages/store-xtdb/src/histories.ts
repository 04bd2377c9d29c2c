import { defined, type HistoryPage, type ListedVersion, type Page, refusals } from "@cm/object-model";
import type { StoredDocument } from "@cm/xtdb-client";
import type { Database } from "./database.ts";
import { historyCursor, historyPage, listedVersion, textIdsOf } from "./history.ts";
import { storeLimits } from "./limits.ts";
import { always, documents } from "./queries.ts";
import { documentOf } from "./read-entity.ts";
import { namingIds } from "./read-versions.ts";
import { readRevision } from "./revision.ts";
import { type Stamp, timelinesOf } from "./timeline.ts";

/**
 * The first page of each object's history. Many objects with few versions are read together; one with more than a page
 * of them by itself, page by page.
 * @throws CmError `store/corrupt`
 */
export async function historyPages(
  database: Database,
  ids: readonly string[],
  page: Omit<Page, "cursor"> & { readonly limit: number },
): Promise<ReadonlyMap<string, HistoryPage>> {
  const { short, long } = await byLength(database, namingIds(ids), page.limit);
  const pages = new Map<string, HistoryPage>();
  for (const group of short) for (const [id, read] of await pagesOf(database, group, page)) pages.set(id, read);
  for (const id of long) pages.set(id, await historyPage(database, id, page));
  return pages;
}

/** Groups of objects whose versions are read together, and objects with more versions than a page has. */
async function byLength(
  database: Database,
  ids: readonly string[],
  rows: number,
): Promise<{ short: readonly (readonly string[])[]; long: readonly string[] }> {
  const { names } = database;
  const newest = await documents(
    database,
    ids.map((id) => names.revision(id)),
    always,
  );
  const short: string[][] = [];
  const long: string[] = [];
  let group: string[] = [];
  let versions = 0;
  for (const id of ids) {
    const document = newest.get(names.revision(id));
    if (document === undefined) continue;
    const revision = readRevision(document);
    if (revision === undefined) throw refusals.corruptObject(id, "revision");
    if (revision.n > rows) {
      long.push(id);
      continue;
    }
    if (group.length === 0 || versions + revision.n > storeLimits.versionsAtOnceMax) {
      group = [];
      versions = 0;
      short.push(group);
    }
    group.push(id);
    versions += revision.n;
  }
  return { short, long };
}

async function pagesOf(
  database: Database,
  ids: readonly string[],
  { limit, documents: withDocuments = false }: Omit<Page, "cursor"> & { readonly limit: number },
): Promise<readonly (readonly [string, HistoryPage])[]> {
  const timelines = [...(await timelinesOf(database, ids))].map(
    ([id, { stamps }]) => [id, stamps.slice(0, limit), stamps.length > limit] as const,
  );
  const stored = withDocuments
    ? await storedDocuments(
        database,
        timelines.flatMap(([, stamps]) => stamps),
      )
    : undefined;
  return timelines.map(([id, stamps, isCut]) => {
    const versions = stamps.map((stamp): ListedVersion => {
      if (stored === undefined || stamp.erased !== undefined) return listedVersion(stamp);
      return { ...listedVersion(stamp), document: stored(stamp) };
    });
    const last = stamps.at(-1);
    return [id, { versions, ...defined({ next: isCut && last !== undefined ? historyCursor(last) : undefined }) }];
  });
}

/** As a history of one object finds them, for many: in their own histories, or put aside when others were erased. */
async function storedDocuments(database: Database, stamps: readonly Stamp[]) {
  const { client, names } = database;
  const wanted = new Map(
    stamps.filter(({ erased }) => erased === undefined).map((stamp) => [stamp.token as string, stamp]),
  );
  const ids = [...new Set([...wanted.values()].map(({ id }) => names.object(id)))];
  const entities = new Map<string, StoredDocument>();
  const take = (document: StoredDocument | null | undefined): void => {
    const token = document?.["cm/token"];
    if (document && typeof token === "string" && wanted.delete(token)) entities.set(token, document);
  };
  for (const entries of (await client.histories(ids)).values()) for (const { document } of entries) take(document);
  const kept = [...wanted.values()].map(({ id, facts }) => names.kept(id, facts.n));
  if (kept.length > 0) for (const document of (await documents(database, kept, always)).values()) take(document);
  const textIds = textIdsOf([...entities.values()]);
  const texts = textIds.length === 0 ? new Map() : await documents(database, textIds, always);
  return ({ id, token }: Stamp) => {
    const entity = entities.get(token);
    if (entity === undefined) throw refusals.corruptObject(id, "document");
    return documentOf(entity, texts.get(entity["cm/blob"]));
  };
}

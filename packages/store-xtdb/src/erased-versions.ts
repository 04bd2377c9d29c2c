import { isNamedVersion, type NamedVersions } from "@cm/object-model";
import { datalog, type EdnOutput, type StoredDocument } from "@cm/xtdb-client";
import { holdersIn } from "./commit-record.ts";
import type { Database } from "./database.ts";
import { entitiesOf } from "./history.ts";
import { always, isMap } from "./queries.ts";
import { type PastErasure, type Stamp, type Timeline, timelinesOf } from "./timeline.ts";
import { type VersionParts, versionParts } from "./version-parts.ts";

const commitsOfTexts = datalog`{:find [(pull c [:xt/id :cm/held])] :in [[t ...]] :where [[c :cm/texts t]]}`;

/** A version that is still there. */
export interface LiveVersion {
  readonly stamp: Stamp;
  readonly entity: StoredDocument;
  readonly parts: VersionParts;
}

/** An object and what an erasure does to its versions. */
export interface ErasedObject {
  readonly id: string;
  readonly timeline: Timeline;
  readonly lost: readonly LiveVersion[];
  readonly staying: readonly LiveVersion[];
}

export interface ErasedVersions {
  /** Named objects that exist, whether or not they lose anything. */
  readonly present: readonly string[];
  readonly objects: readonly ErasedObject[];
  /** Tags of the texts that go. */
  readonly tags: ReadonlySet<string>;
  /** Erasures that took versions of the named objects before. */
  readonly past: readonly PastErasure[];
}

/**
 * The versions that an erasure removes: the named ones, and all versions with one of their texts or of their
 * attachments' texts.
 */
export async function erasedVersionsOf(
  database: Database,
  named: ReadonlyMap<string, NamedVersions>,
): Promise<ErasedVersions> {
  const found = await liveObjects(database, [...named.keys()]);
  const isNamed = (id: string, { token }: Stamp) => isNamedVersion(named.get(id), token);
  const own = new Map([...found].filter(([id, { timeline }]) => timeline.stamps.some((stamp) => isNamed(id, stamp))));
  const lost = [...own].flatMap(([id, { live }]) => live.filter(({ stamp }) => isNamed(id, stamp)));
  const attachments = [...own].flatMap(([id, { live }]) => {
    const staying = new Set(live.flatMap(({ stamp, parts }) => (isNamed(id, stamp) ? [] : parts.attachments)));
    return live.flatMap(({ parts }) => parts.attachments).filter((attachment) => !staying.has(attachment));
  });
  const attached = await liveObjects(database, [...new Set(attachments)]);
  const digests = new Set(
    [...lost, ...[...attached.values()].flatMap(({ live }) => live)].flatMap(({ parts }) => parts.digest ?? []),
  );
  const tags = new Set([...digests].map((digest) => database.names.tag(digest)));
  const holders = await holdersOf(database, tags);
  const others = await liveObjects(
    database,
    [...holders, ...attached.keys()].filter((id) => !own.has(id)),
  );
  const holdsOne = holdsOneOf(database, tags);
  const objects = [...own, ...others].map(([id, object]) =>
    split({ id, ...object, isLost: (version) => isNamed(id, version.stamp) || holdsOne(version) }),
  );
  return {
    present: [...own.keys()],
    objects: objects.filter(({ lost: versions }) => versions.length > 0),
    tags,
    past: [...own.values()].flatMap(({ timeline }) => timeline.erasures),
  };
}

/** Versions with one of the texts that were written before the erasure and not known to it. */
export async function lateVersions(
  database: Database,
  tags: ReadonlySet<string>,
  erasureTxId: number,
): Promise<ErasedVersions> {
  const others = await liveObjects(database, await holdersOf(database, tags));
  const isHolder = holdsOneOf(database, tags);
  const isLost = (version: LiveVersion) => version.stamp.txId < erasureTxId && isHolder(version);
  const objects = [...others].map(([id, object]) => split({ id, ...object, isLost }));
  return { present: [], objects: objects.filter(({ lost }) => lost.length > 0), tags, past: [] };
}

const holdsOneOf =
  ({ names }: Database, tags: ReadonlySet<string>) =>
  ({ parts: { digest } }: LiveVersion): boolean =>
    digest !== undefined && tags.has(names.tag(digest));

interface LiveObject {
  readonly timeline: Timeline;
  readonly live: readonly LiveVersion[];
}

function split({
  id,
  timeline,
  live,
  isLost,
}: LiveObject & { readonly id: string; isLost(version: LiveVersion): boolean }): ErasedObject {
  return { id, timeline, lost: live.filter(isLost), staying: live.filter((version) => !isLost(version)) };
}

/** Objects that exist, with the versions that are still there. */
async function liveObjects(database: Database, ids: readonly string[]): Promise<ReadonlyMap<string, LiveObject>> {
  const objects = new Map<string, LiveObject>();
  for (const [id, timeline] of await timelinesOf(database, [...new Set(ids)])) {
    const stamps = timeline.stamps.filter(({ erased }) => erased === undefined);
    const entities = await entitiesOf(database, id, stamps);
    const live = stamps.flatMap((stamp): LiveVersion[] => {
      const entity = entities.get(stamp.token);
      return entity === undefined ? [] : [{ stamp, entity, parts: versionParts(entity) }];
    });
    objects.set(id, { timeline, live });
  }
  return objects;
}

/** Objects that any commit gave one of the texts. */
async function holdersOf({ client }: Database, tags: ReadonlySet<string>): Promise<readonly string[]> {
  if (tags.size === 0) return [];
  const rows = await client.query(commitsOfTexts, [[...tags]], { ...always, parse: recordOfRow });
  return [...new Set(rows.flatMap((record) => holdersIn(record, tags)))];
}

function recordOfRow(row: EdnOutput): StoredDocument {
  const record = Array.isArray(row) ? row[0] : undefined;
  return isMap(record) ? record : {};
}

import { defined } from "@cm/object-model";
import { evict, match, type Operation, put, type XtdbDocument } from "@cm/xtdb-client";
import type { Database } from "./database.ts";
import type { ErasedObject, ErasedVersions, LiveVersion } from "./erased-versions.ts";
import { firstValidTime } from "./limits.ts";
import { orderValuesOf } from "./order.ts";
import { putRevision, type Revision, revisionWithErasureMark } from "./revision.ts";
import { putTombstone } from "./store-texts.ts";
import { freshRandom } from "./version-token.ts";

/** One transaction, and what is true once it is committed. */
export interface ErasurePlan {
  readonly attempt: string;
  readonly request: string;
  readonly operations: readonly Operation[];
  readonly revisions: readonly (readonly [string, Revision])[];
  /** Digests of texts that stood apart. */
  readonly texts: readonly string[];
  /** Ids of all documents that go. */
  readonly evicted: readonly string[];
}

interface Terms {
  readonly reason: string;
  readonly texts: boolean;
  readonly atMs: number | undefined;
}

/**
 * Marks the list of writes, keeps what outlives, evicts the rest. No id is both evicted and put: XTDB would lose it.
 * All in one transaction, so there is no moment at which a death would leave a version half erased.
 */
export function planErasure(database: Database, terms: Terms, { objects, tags }: ErasedVersions): ErasurePlan {
  const { names } = database;
  const attempt = freshRandom();
  const request = names.request(freshRandom());
  const marked = objects.map((object) => [object.id, erasureMark(object, { ...terms, erasure: request })] as const);
  const textIds = terms.texts
    ? new Set(objects.flatMap(({ lost }) => lost.flatMap(({ parts }) => parts.textId ?? [])))
    : [];
  const texts = [...textIds].map((id) => id.slice(id.lastIndexOf(":") + 1));
  const evicted = [...objects.flatMap((object) => evictedOf(database, object)), ...textIds];
  const record: XtdbDocument = {
    "xt/id": request,
    "cm/attempt": attempt,
    "cm/ordered": true,
    "cm/reason": terms.reason,
    "cm/erased": JSON.stringify(objects.map(({ id }) => id)),
    "cm/erased_texts": JSON.stringify([...tags]),
    ...defined({ "cm/at": terms.atMs }),
  };
  const operations = [
    match(request, null),
    ...objects.map(({ id, timeline }) => match(names.revision(id), timeline.newest.document)),
    put(record, firstValidTime),
    ...marked.map(([, revision]) => putRevision(revision)),
    ...objects.flatMap(({ id, staying }) => staying.flatMap((version) => keep(database, id, version))),
    ...texts.map((digest) => putTombstone(database, digest)),
    ...evicted.map((id) => evict(id)),
  ];
  return { attempt, request, operations, revisions: marked, texts, evicted };
}

function erasureMark(
  { timeline, lost, staying }: ErasedObject,
  { reason, erasure, atMs }: Terms & { readonly erasure: string },
): Revision {
  const places = staying.length === 0 ? undefined : lost.map(({ stamp }) => stamp.facts.n);
  return revisionWithErasureMark(timeline.newest, { reason, erasure, lost: places, atMs });
}

function evictedOf({ names }: Database, { id, lost }: ErasedObject): readonly string[] {
  const kept = lost.filter(isKept).map(({ stamp }) => names.kept(id, stamp.facts.n));
  return [names.object(id), ...kept];
}

/**
 * Puts a version aside that stood in its object's own history. Found by its keys, and looked at twice by every read.
 */
function keep({ names }: Database, id: string, version: LiveVersion): readonly Operation[] {
  if (isKept(version)) return [];
  const { entity, stamp } = version;
  const kept = {
    ...entity,
    "xt/id": names.kept(id, stamp.facts.n),
    // One that was stored before there was an order has none of its own.
    "cm/order": entity["cm/order"] ?? orderValuesOf(names, id, entity),
    "cm/after_erasure": true,
    "cm/kept": true,
  };
  return [put(kept as XtdbDocument, firstValidTime)];
}

const isKept = ({ entity }: LiveVersion): boolean => entity["cm/kept"] === true;

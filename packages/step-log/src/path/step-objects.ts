import type { PromptDecision } from "@cm/context-log";
import { askedFor, type StepObjects } from "@cm/context-log/state";
import {
  type Basis,
  charsIn,
  type DocumentOf,
  erasedObjectsAmong,
  everyVersion,
  historiesOf,
  indexedBy,
  inParts,
  isDocumentOf,
  isSha256,
  type ListedVersion,
  leaseId,
  type ObjectDocument,
  type ObjectStore,
  observedBy,
  ReadSize,
  type StoredVersion,
  sessionObjectId,
  toolcallsIn,
} from "@cm/object-model";
import { limits } from "../limits.ts";
import { readInParts } from "./read-in-parts.ts";
import type { PathStep } from "./read-path.ts";

/**
 * The objects that a path's steps refer to, fetched in few reads: tool calls, and of files the versions that the state
 * after the path shows, or a request from `renderedFrom` on.
 */
export async function readStepObjects(
  store: ObjectStore,
  path: readonly PathStep[],
  { renderedFrom, at }: { readonly renderedFrom: number; readonly at: Basis | undefined },
): Promise<StepObjects> {
  const steps = path.map(({ document }) => document);
  const known = steps.flatMap((step) => step ?? []);
  const versions = shownVersions(steps, renderedFrom);
  const files = new Set(known.flatMap(observedBy).map(({ file }) => file));
  const toolcalls = new Set(
    known
      .flatMap((step) => [...toolcallsIn(step.messages), ...indexedBy(step), ...recalledBy(step)])
      .filter((id) => !files.has(id)),
  );
  const wanted = new Set([...toolcalls, ...versions.map(({ file }) => file)]);
  // What holds now is, most often, what the path's end saw. Of each file whose version is wanted, and of all calls.
  const found = new Map(await readInParts(store, [...wanted], at));
  // Another client brought them here after the heads.
  const late = at === undefined ? [] : [...wanted].filter((id) => !found.has(id));
  if (late.length > 0) for (const [id, version] of await readInParts(store, late)) found.set(id, version);
  const session = path.at(-1)?.address.session;
  const absent = [...wanted].filter((id) => !found.has(id));
  const isCarried = session !== undefined && absent.length > 0 && (await wasCarried(store, session));
  const erased = isCarried ? new Map() : await erasedObjectsAmong(store, absent);
  const shown = await readShownVersions(store, path, { versions, found });
  return {
    toolcall(id) {
      const document = found.get(id)?.document;
      return document !== undefined && isDocumentOf(document, "toolcall") ? document : undefined;
    },
    file: (id, contentHash) => shown.get(id)?.get(contentHash),
    isMissing(id) {
      if (!wanted.has(id)) return false;
      const version = found.get(id);
      return version === undefined ? !isCarried && !erased.has(id) : isOther(version);
    },
    isPassedOver: (id, contentHash) => shown.get(id)?.has(contentHash) !== true,
  };
}

/** Whether a damaged store gives something else under the id of a file or a call, which is lost then and was not erased. */
const isOther = ({ id, document }: StoredVersion): boolean =>
  document !== undefined && !isDocumentOf(document, isSha256(id) ? "file" : "toolcall");

/** Calls that were brought back may have left the prompt long before. A recall of a file names its version elsewhere. */
function recalledBy(step: DocumentOf<"step">): readonly string[] {
  const { recall = [] } = step.decision as Pick<PromptDecision, "recall">;
  const recalled = recall.flatMap((one) => (typeof one === "string" ? [] : [one.object]));
  return [...askedFor(step), ...recalled].filter((id) => !isSha256(id));
}

/**
 * Whether a session came from a bundle: its first head is already some steps long. What was erased before it was carried
 * here was never in this store, so that nothing tells it from what this store has lost.
 */
async function wasCarried(store: ObjectStore, session: string): Promise<boolean> {
  let first: ListedVersion | undefined;
  for await (const version of versionsOf(store, sessionObjectId(session))) {
    if (version.document !== undefined) first = version;
  }
  if (!isDocumentOf(first?.document, "session")) return false;
  // A fork begins some steps long, too, and is of this store.
  if (first.document.forked_from !== undefined || first.document.next_step <= 1) return false;
  return !(await wasWrittenHere(store, session, first.basis));
}

/**
 * Whether the session's first steps were taken by a client of this store, many in one transaction, as the import of an agent's
 * file does: a client takes the lease in that transaction. A bundle brings none, or one with a mark.
 */
async function wasWrittenHere(store: ObjectStore, session: string, basis: Basis): Promise<boolean> {
  let isTaken = false;
  for await (const version of versionsOf(store, leaseId(session))) {
    if (!isDocumentOf(version.document, "lease")) continue;
    if (version.document.bundle !== undefined) return false;
    isTaken ||= version.basis === basis;
  }
  return isTaken;
}

const versionsOf = (store: ObjectStore, id: string): AsyncIterable<ListedVersion> =>
  everyVersion((page) => store.history(id, { ...page, documents: true }));

/** Documents of files by id and content hash; undefined: wanted, and erased. */
export type FileVersions = ReadonlyMap<string, ReadonlyMap<string, DocumentOf<"file"> | undefined>>;

/**
 * Reads file versions that a path's steps name by content hash, whichever session wrote others since. The hash decides, so it is
 * only a matter of speed where they are looked for: first in what was `found` already, then at the few steps at which
 * many of them held, then in the histories of the files that are left.
 */
export async function readShownVersions(
  store: ObjectStore,
  path: readonly PathStep[],
  {
    versions,
    found,
  }: { readonly versions: readonly ShownVersion[]; readonly found: ReadonlyMap<string, StoredVersion> },
): Promise<FileVersions> {
  const shown = new Map<string, Map<string, DocumentOf<"file"> | undefined>>();
  for (const { file, contentHash } of versions) {
    const wanted = shown.get(file);
    if (wanted === undefined) shown.set(file, new Map([[contentHash, undefined]]));
    else wanted.set(contentHash, undefined);
  }
  const take = (id: string, contentHash: string, document: ObjectDocument | undefined) => {
    const wanted = shown.get(id);
    if (document === undefined || wanted?.has(contentHash) !== true || !isDocumentOf(document, "file")) return;
    if (wanted.get(contentHash) === undefined) wanted.set(contentHash, document);
  };
  const missing = () => versions.filter(({ file, contentHash }) => shown.get(file)?.get(contentHash) === undefined);
  for (const [id, { contentHash, document }] of found) take(id, contentHash, document);
  await readAtMoments(store, path, { versions: missing(), take });
  await readHistories(store, { versions: missing(), take });
  return shown;
}

interface Search {
  readonly versions: readonly ShownVersion[];
  readonly take: (id: string, contentHash: string, document: ObjectDocument | undefined) => void;
}

async function readAtMoments(store: ObjectStore, path: readonly PathStep[], { versions, take }: Search): Promise<void> {
  const moments = momentsOf(versions).slice(0, limits.momentsPerLoadMax);
  await Promise.all(
    moments.map(async ({ place, versions: held }) => {
      // A version by itself is found as fast in its history, and there for certain.
      if (held.length < 2) return;
      const found = await readInParts(store, [...new Set(held.map(({ file }) => file))], path[place]?.basis);
      for (const [id, { contentHash, document }] of found) take(id, contentHash, document);
    }),
  );
}

async function readHistories(store: ObjectStore, { versions, take }: Search): Promise<void> {
  const wanted = new Map<string, Set<string>>();
  for (const { file, contentHash } of versions) wanted.set(file, (wanted.get(file) ?? new Set()).add(contentHash));
  const left = [...wanted];
  const size = new ReadSize(limits.historiesAtOnceMax);
  for (const part of inParts(left, size)) {
    const some = new Map(part);
    const histories = await historiesOf(store, [...some.keys()], { documents: true, limit: limits.versionsPerPage });
    let chars = 0;
    await Promise.all(
      [...histories].map(async ([id, read]) => {
        const hashes = some.get(id) ?? new Set();
        for await (const version of everyVersion(read)) {
          chars += charsIn([version]);
          const { contentHash, document } = version;
          if (document === undefined || !hashes.delete(contentHash)) continue;
          take(id, contentHash, document);
          if (hashes.size === 0) break;
        }
      }),
    );
    size.follow(chars, part.length);
  }
}

/** A file version that will be looked at, and the steps of the path after which the session had it in sight. */
export interface ShownVersion {
  readonly file: string;
  readonly contentHash: string;
  /** Places on the path, both included. */
  readonly from: number;
  readonly to: number;
}

/** A version of a file while it is in sight. */
interface Sighting {
  readonly file: string;
  readonly contentHash: string;
  readonly from: number;
  to: number;
  isShown: boolean;
}

/**
 * The versions without which the state at the end of a path, or a request on it, would not be what it was. Of a file
 * that changed a hundred times that is the newest one; before, only those whose text was recalled, told on resuming, or
 * in sight of a request that is rendered. Pure.
 * @param steps the path; undefined for erased ones
 * @param renderedFrom the first place whose request is rendered
 */
export function shownVersions(
  steps: readonly (DocumentOf<"step"> | undefined)[],
  renderedFrom: number,
): readonly ShownVersion[] {
  const last = steps.length - 1;
  const inSight = new Map<string, Sighting>();
  const sightings: Sighting[] = [];
  const show = (file: string) => {
    const sighting = inSight.get(file);
    if (sighting !== undefined) sighting.isShown = true;
  };
  const see = (place: number, seen: DocumentOf<"step">["observed"] = []) => {
    for (const { file, content_hash: contentHash } of seen) {
      const before = inSight.get(file);
      if (before?.contentHash === contentHash) continue;
      if (before !== undefined) before.to = Math.max(before.from, place - 1);
      const isShown = place >= renderedFrom;
      const sighting = { file, contentHash, from: place, to: last, isShown };
      inSight.set(file, sighting);
      sightings.push(sighting);
    }
  };
  for (const [place, step] of steps.entries()) {
    const told = step?.resumed?.observed ?? [];
    for (const { file } of told) show(file);
    see(place, told);
    for (const { file } of told) show(file);
    // Of these the path is told.
    for (const { file } of step?.resumed?.unreachable ?? []) show(file);
    see(place, step?.observed_before);
    for (const recall of (step?.decision as PromptDecision | undefined)?.recall ?? []) {
      show(typeof recall === "string" ? recall : recall.object);
    }
    if (place === renderedFrom) for (const file of inSight.keys()) show(file);
    see(place, step?.observed);
  }
  for (const file of inSight.keys()) show(file);
  return distinct(sightings.filter(({ isShown }) => isShown));
}

/** One of each version, the newest: there it is looked for. */
function distinct(sightings: readonly Sighting[]): readonly ShownVersion[] {
  const versions = new Map<string, ShownVersion>();
  for (const { file, contentHash, from, to } of sightings) {
    versions.set(`${file} ${contentHash}`, { file, contentHash, from, to });
  }
  return [...versions.values()];
}

/**
 * The fewest places of the path at which every one of these versions was in sight, with those that each is good for;
 * most useful first. The classical greedy choice: the earliest end that is not covered yet.
 */
export function momentsOf(
  versions: readonly ShownVersion[],
): readonly { readonly place: number; readonly versions: readonly ShownVersion[] }[] {
  const moments: { readonly place: number; readonly versions: ShownVersion[] }[] = [];
  for (const version of versions.toSorted((a, b) => a.to - b.to)) {
    const newest = moments.at(-1);
    if (newest === undefined || newest.place < version.from) moments.push({ place: version.to, versions: [version] });
    else newest.versions.push(version);
  }
  return moments.sort((a, b) => b.versions.length - a.versions.length);
}

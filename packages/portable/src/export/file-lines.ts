import {
  type Basis,
  charsIn,
  defined,
  erasedObjectsAmong,
  everyVersion,
  inParts,
  type ListedVersion,
  type ObjectStore,
  ReadSize,
  type StoredVersion,
} from "@cm/object-model";
import type { Scope } from "./found-steps.ts";
import { lineOf, type ObjectLine } from "./object-lines.ts";

/** The place of a version of a file: its stamp, and whether it is the current one. */
interface FoundVersion {
  readonly id: string;
  readonly contentHash: string;
  readonly atMs: number;
  readonly basis: Basis;
  readonly holds: boolean;
  /** Among the versions of its file: 0 is the newest. */
  readonly age: number;
}

/**
 * The versions of files that were seen, oldest first, so that one that comes later in a file's history comes later
 * here. First only their stamps are read, then their texts, a few at a time.
 */
export async function* fileLines(
  store: ObjectStore,
  { files, currentFiles }: Pick<Scope, "files" | "currentFiles">,
  basis: Basis,
): AsyncGenerator<ObjectLine> {
  const versions: FoundVersion[] = [];
  const ids = [...new Set([...files.keys(), ...currentFiles.keys()])];
  const size = new ReadSize();
  for (const part of inParts(ids, size)) {
    const current = await store.getMany(part, basis);
    size.follow(charsIn(current.values()), current.size);
    for (const id of part) {
      const wanted = { id, hashes: files.get(id) ?? new Set<string>(), current: currentFiles.get(id) };
      const { found, missing } = await findVersions(store, current.get(id), wanted);
      versions.push(...found);
      for (const gone of missing) yield erasedFile(id, gone);
    }
  }
  versions.sort(oldestFirst);
  const texts = new ReadSize();
  for (const part of readableTogether(versions, texts)) yield* textsOf(store, part, { basis, size: texts });
}

interface WantedVersions {
  readonly id: string;
  readonly hashes: ReadonlySet<string>;
  /** Whether it is also wanted as it is now. */
  readonly current: "touched" | "indexed" | undefined;
}

async function findVersions(
  store: ObjectStore,
  holding: StoredVersion | undefined,
  { id, hashes, current }: WantedVersions,
): Promise<{ readonly found: readonly FoundVersion[]; readonly missing: readonly GoneVersion[] }> {
  const erased = new Set<string>();
  const found: FoundVersion[] = [];
  const left = new Set(hashes);
  const take = (version: ListedVersion, holds: boolean) => {
    const { contentHash, validTime, basis } = version;
    left.delete(contentHash);
    found.push({ id, contentHash, atMs: validTime.getTime(), basis, holds, age: found.length });
  };
  const isWanted = current !== undefined || left.has(holding?.contentHash ?? "");
  if (holding?.document !== undefined && isWanted) take(holding, true);
  if (left.size > 0) {
    for await (const version of everyVersion((page) => store.history(id, page))) {
      if (version.erased !== undefined) erased.add(version.contentHash);
      else if (left.has(version.contentHash)) take(version, false);
      if (left.size === 0) break;
    }
  }
  // An index names it, so its absence is reported; a touched file that was never stored is not missing.
  const isUnknown = current === "indexed" && hashes.size === 0 && found.length === 0;
  if (!isUnknown && left.size === 0) return { found, missing: [] };
  const before = (await erasedObjectsAmong(store, [id])).get(id);
  if (isUnknown) return { found, missing: [{ isErased: holding?.erased !== undefined || before !== undefined }] };
  const isErased = (contentHash: string) => erased.has(contentHash) || before?.has(contentHash) === true;
  return { found, missing: [...left].map((contentHash) => ({ contentHash, isErased: isErased(contentHash) })) };
}

/** A version that is named, and not there: it was erased, here or before it came here, or was lost. */
interface GoneVersion {
  readonly contentHash?: string;
  readonly isErased: boolean;
}

function erasedFile(id: string, { contentHash, isErased }: GoneVersion): ObjectLine {
  const lost = isErased ? {} : { lost: true as const };
  return { ...defined({ content_hash: contentHash }), id, kind: "erased", ...lost, of: "file" };
}

function oldestFirst(a: FoundVersion, b: FoundVersion): number {
  if (a.atMs !== b.atMs) return a.atMs - b.atMs;
  if (a.age !== b.age) return b.age - a.age;
  return a.id < b.id ? -1 : 1;
}

/** Neighbours that one read gives: those that hold, or those of one transaction. */
function* readableTogether(versions: readonly FoundVersion[], size: ReadSize): Generator<readonly FoundVersion[]> {
  let part: FoundVersion[] = [];
  const ids = new Set<string>();
  for (const version of versions) {
    const last = part.at(-1);
    const fits =
      last !== undefined &&
      part.length < size.objects &&
      !ids.has(version.id) &&
      last.holds === version.holds &&
      (version.holds || (last.basis === version.basis && last.atMs === version.atMs));
    if (!fits && part.length > 0) {
      yield part;
      part = [];
      ids.clear();
    }
    part.push(version);
    ids.add(version.id);
  }
  if (part.length > 0) yield part;
}

async function* textsOf(
  store: ObjectStore,
  part: readonly FoundVersion[],
  { basis, size }: { readonly basis: Basis; readonly size: ReadSize },
): AsyncGenerator<ObjectLine> {
  const first = part[0];
  if (first === undefined) return;
  const at = first.holds ? basis : { basis: first.basis, validTime: new Date(first.atMs) };
  const found = await store.getMany(
    part.map(({ id }) => id),
    at,
  );
  size.follow(charsIn(found.values()), found.size);
  for (const { id, contentHash } of part) {
    const version = found.get(id);
    // Erased while we were reading.
    if (version?.document === undefined || version.contentHash !== contentHash)
      yield erasedFile(id, { contentHash, isErased: true });
    else yield lineOf(version);
  }
}

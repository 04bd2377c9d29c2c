import { LruCache, type StoredVersion, type VersionToken } from "@cm/object-model";
import { documentBytes } from "./document-bytes.ts";
import { writeBehindLimits as limits } from "./limits.ts";

/** This client's knowledge of an object. */
export interface CachedObject {
  /** Its newest write; undefined where only its absence is known. */
  readonly token: VersionToken | undefined;
  readonly type: string | undefined;
  /** The version that holds now: `absent`, or undefined where that is not known, or was dropped for room. */
  readonly held: StoredVersion | "absent" | undefined;
}

interface Entry {
  readonly token: VersionToken | undefined;
  readonly type: string | undefined;
  readonly isAbsent: boolean;
  /** When it was learned, in calls. */
  readonly at: number;
}

/** Written once and never changed: their writer has their content and rarely reads them back. */
const writtenOnce: ReadonlySet<string> = new Set(["toolcall", "step", "keyframe", "standing", "attachment"]);

/**
 * Objects as this client read or wrote them last. Those that wait to be written stay; of the others the documents, and
 * then the objects, that were not used for longest are forgotten.
 */
export class ObjectCache {
  readonly #entries = new LruCache<Entry>({ weightMax: limits.knownObjectsMax, keptShare: limits.keptShare });
  readonly #versions: LruCache<StoredVersion>;
  readonly #versionsWrittenOnce: LruCache<StoredVersion>;
  readonly #waiting = new Map<string, CachedObject>();
  #now = 0;

  constructor(bytesMax: number) {
    this.#versions = new LruCache({ weightMax: bytesMax, keptShare: limits.keptShare });
    this.#versionsWrittenOnce = new LruCache({
      weightMax: bytesMax * limits.knownWrittenOnceShare,
      keptShare: limits.keptShare,
    });
  }

  /** The moment at which a call begins: what it answers is older than what is learned after it. */
  moment(): number {
    this.#now += 1;
    return this.#now;
  }

  get(id: string): CachedObject | undefined {
    const waiting = this.#waiting.get(id);
    if (waiting !== undefined) return waiting;
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    const { token, type, isAbsent } = entry;
    return { token, type, held: isAbsent ? "absent" : this.#versionsOf(type).get(id) };
  }

  /** The version that holds of an object that waits to be written. */
  waiting(id: string): StoredVersion | undefined {
    const held = this.#waiting.get(id)?.held;
    return held === "absent" ? undefined : held;
  }

  /** A read that began at the moment gave these of the ids. */
  read(ids: readonly string[], found: ReadonlyMap<string, StoredVersion>, at: number): void {
    for (const id of ids) {
      if ((this.#entries.get(id)?.at ?? 0) > at) continue;
      const version = found.get(id);
      this.#put(id, { token: version?.token, type: version?.type, held: version ?? "absent" }, at);
    }
  }

  /** The base has this. */
  written(id: string, known: CachedObject): void {
    this.#put(id, known, this.moment());
  }

  /** This waits to be written. */
  wait(id: string, known: CachedObject): void {
    this.#waiting.set(id, known);
  }

  /** The write with the provisional token is done, unless a newer one waits. */
  settle(id: string, provisional: VersionToken, token: VersionToken): void {
    const waiting = this.#waiting.get(id);
    if (waiting?.token !== provisional) return;
    this.#waiting.delete(id);
    const { held, type } = waiting;
    this.written(id, { token, type, held: typeof held === "object" ? { ...held, token } : held });
  }

  forget(ids: Iterable<string>): void {
    for (const id of ids) {
      this.#entries.delete(id);
      this.#drop(id);
    }
  }

  #put(id: string, { token, type, held }: CachedObject, at: number): void {
    this.#entries.set(id, { token, type, isAbsent: held === "absent", at });
    if (typeof held === "object") this.#versionsOf(type).set(id, held, documentBytes(held.document));
    else this.#drop(id);
  }

  /** From both caches: the type of an absent object is unknown. */
  #drop(id: string): void {
    this.#versions.delete(id);
    this.#versionsWrittenOnce.delete(id);
  }

  #versionsOf(type: string | undefined): LruCache<StoredVersion> {
    return type !== undefined && writtenOnce.has(type) ? this.#versionsWrittenOnce : this.#versions;
  }
}

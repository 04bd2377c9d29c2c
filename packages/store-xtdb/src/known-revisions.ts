import { LruCache, type VersionToken } from "@cm/object-model";
import { storeLimits } from "./limits.ts";
import type { Names } from "./names.ts";
import { type Revision, revisionOfToken } from "./revision.ts";

/** All that the document of a write says, in a third of the memory. */
interface Written {
  readonly token: VersionToken;
  readonly type: string;
}

/** The newest revisions of the objects that were met last. They are never trusted: a commit matches each one that it uses. */
export class KnownRevisions {
  readonly #names: Names;
  /** Marks of erasures as they are: there are few. */
  readonly #revisions = new LruCache<Written | Revision>({ weightMax: storeLimits.revisionsKnownMax });

  constructor(names: Names) {
    this.#names = names;
  }

  get(id: string): Revision | undefined {
    const known = this.#revisions.get(id);
    if (known === undefined || "document" in known) return known;
    return revisionOfToken(this.#names, { "xt/id": id, type: known.type }, known.token);
  }

  set(id: string, revision: Revision): void {
    const { token, type, isErasureMark } = revision;
    this.#revisions.set(id, isErasureMark ? revision : { token, type });
  }
}

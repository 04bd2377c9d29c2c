import type { DocumentOf } from "@cm/object-model";
import { limits } from "../limits.ts";

interface GoneFile {
  readonly id: string;
  /** The new file that was said to take its place. */
  takenBy?: string;
}

/**
 * Files that were just confirmed absent, by what was in them: a new one with the same bytes was probably renamed.
 * Only a hint for people, so the oldest are forgotten; an empty file says nothing.
 */
export class GoneFiles {
  readonly #byBytes = new Map<string, GoneFile>();

  add({ "xt/id": id, source, source_hash, content }: DocumentOf<"file">): void {
    if (source_hash === undefined || content === "") return;
    const key = keyOf(source?.type, source_hash);
    if (this.#byBytes.get(key)?.id === id) return;
    this.#byBytes.delete(key);
    this.#byBytes.set(key, { id });
    for (const oldest of this.#byBytes.keys()) {
      if (this.#byBytes.size <= limits.goneFilesMax) break;
      this.#byBytes.delete(oldest);
    }
  }

  /**
   * The file that a new one with these bytes takes the place of; each is named by one. Asked again for the same, it
   * says the same: the commit that named it may have been lost.
   */
  take(type: string, sourceHash: string, id: string): string | undefined {
    const gone = this.#byBytes.get(keyOf(type, sourceHash));
    if (gone === undefined || gone.id === id || (gone.takenBy ?? id) !== id) return undefined;
    gone.takenBy = id;
    return gone.id;
  }
}

function keyOf(type: string | undefined, sourceHash: string): string {
  return `${type} ${sourceHash}`;
}

import type { DocumentOf } from "@cm/object-model";
import { limits } from "../limits.ts";

/**
 * Files that were just confirmed absent, by what was in them: a new one with the same bytes was probably renamed.
 * Only a hint for people, so the oldest are forgotten; an empty file says nothing.
 */
export class GoneFiles {
  readonly #idByBytes = new Map<string, string>();

  add({ "xt/id": id, source, source_hash, content }: DocumentOf<"file">): void {
    if (source_hash === undefined || content === "") return;
    const key = keyOf(source?.type, source_hash);
    this.#idByBytes.delete(key);
    this.#idByBytes.set(key, id);
    for (const oldest of this.#idByBytes.keys()) {
      if (this.#idByBytes.size <= limits.goneFilesMax) break;
      this.#idByBytes.delete(oldest);
    }
  }

  /** The file that a new one with these bytes takes the place of; each is named once. */
  take(type: string, sourceHash: string, id: string): string | undefined {
    const key = keyOf(type, sourceHash);
    const gone = this.#idByBytes.get(key);
    this.#idByBytes.delete(key);
    return gone === id ? undefined : gone;
  }
}

function keyOf(type: string | undefined, sourceHash: string): string {
  return `${type} ${sourceHash}`;
}

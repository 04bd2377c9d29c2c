import { limits } from "../limits.ts";

/**
 * How many objects to read at once. How long texts are is known only when they are there, so it starts small and
 * follows what came: many small objects in few reads, large ones alone.
 */
export class PartSize {
  #objects: number = limits.firstReadObjects;

  get objects(): number {
    return this.#objects;
  }

  /** Takes note of how long the texts of one read were. */
  follow(chars: number): void {
    if (chars > limits.readCharsMax) this.#objects = Math.max(1, Math.floor(this.#objects / 4));
    else if (chars < limits.readCharsMax / 8) this.#objects = Math.min(limits.objectsPerReadMax, this.#objects * 2);
  }
}

/** The objects in parts, each as long as the size says when it is asked for. */
export function* inParts<T>(all: readonly T[], size: PartSize): Generator<readonly T[]> {
  for (let from = 0; from < all.length; ) {
    const part = all.slice(from, from + size.objects);
    from += part.length;
    yield part;
  }
}

export function charsIn(
  versions: Iterable<{ readonly document?: { readonly content: string | null } | undefined }>,
): number {
  let chars = 0;
  for (const { document } of versions) chars += document?.content?.length ?? 0;
  return chars;
}

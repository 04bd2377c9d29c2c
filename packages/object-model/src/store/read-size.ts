import type { ObjectDocument } from "../documents/document.ts";
import { limits, readLimits } from "../limits.ts";
import type { HistoryPage, ListedVersion, Page } from "./contract.ts";
import { everyVersion } from "./every-version.ts";

/**
 * How many objects to read at once with their documents. How large those are is known only when they are there, so it starts
 * small and follows what came: many small ones in few reads, large ones a few at a time. A store that is far away holds
 * what it answers in memory.
 */
export class ReadSize {
  readonly #most: number;
  #objects: number = readLimits.firstObjects;

  /** @param most objects in one read, however small they are */
  constructor(most: number = limits.pageRowsMax) {
    this.#most = most;
  }

  get objects(): number {
    return Math.min(this.#objects, this.#most);
  }

  /** Takes note of one read: how many characters so many objects had. */
  follow(chars: number, objects: number): void {
    if (objects === 0) return;
    const fitting = Math.floor((readLimits.chars * objects) / Math.max(1, chars));
    this.#objects = Math.max(1, Math.min(fitting, this.objects * readLimits.growthMax));
  }
}

/** The items in parts, each as long as the size says when it is asked for. */
export function* inParts<T>(all: readonly T[], size: ReadSize): Generator<readonly T[]> {
  for (let from = 0; from < all.length; ) {
    const part = all.slice(from, from + size.objects);
    from += part.length;
    yield part;
  }
}

/** About how many characters some documents have: their texts, and their other fields as JSON. */
export function charsIn(versions: Iterable<{ readonly document?: ObjectDocument | undefined }>): number {
  let chars = 0;
  for (const { document } of versions) {
    if (document === undefined) continue;
    const { content, ...others } = document;
    chars += (content?.length ?? 0) + JSON.stringify(others).length;
  }
  return chars;
}

/** As `everyVersion`, with documents: a page has as many as are read at once. */
export async function* everyDocument(read: (page: Page) => Promise<HistoryPage>): AsyncGenerator<ListedVersion> {
  const size = new ReadSize();
  yield* everyVersion(async (at) => {
    const page = await read({ ...at, limit: size.objects, documents: true });
    size.follow(charsIn(page.versions), page.versions.length);
    return page;
  });
}

import {
  charsIn,
  everyDocument,
  everyVersion,
  type HistoryPage,
  inParts,
  type ListedVersion,
  type ObjectStore,
  type Page,
  ReadSize,
} from "@cm/object-model";
import { limits } from "../limits.ts";
import { lookAhead } from "./look-ahead.ts";

export interface ObjectHistory {
  readonly id: string;
  /** Newest first. */
  readonly versions: AsyncIterable<ListedVersion>;
}

/** Whole histories, many objects in one request where the store answers so; with documents, as many as their size allows. */
export async function* readHistories(
  store: ObjectStore,
  ids: Iterable<string>,
  { documents }: { readonly documents: boolean },
): AsyncGenerator<ObjectHistory> {
  const size = new ReadSize(limits.historiesPerRead);
  // The first page of each: with documents as short as the first read of a history by itself.
  const page = documents ? { documents, limit: new ReadSize().objects } : {};
  for (const part of inParts([...ids], size)) {
    let chars = 0;
    let place = 0;
    for await (const first of firstPages(store, part, page)) {
      const id = part[place] ?? "";
      place += 1;
      chars += charsIn(first.versions);
      const read = (next: Page) => (next.cursor === undefined ? Promise.resolve(first) : store.history(id, next));
      yield { id, versions: documents ? everyDocument(read) : everyVersion(read) };
    }
    size.follow(chars, part.length);
  }
}

/** In the order of the ids. */
async function* firstPages(store: ObjectStore, ids: readonly string[], page: Page): AsyncGenerator<HistoryPage> {
  if (store.histories === undefined) {
    yield* lookAhead(ids, limits.historiesAtOnce, (id) => store.history(id, page));
    return;
  }
  const pages = await store.histories(ids, page);
  for (const id of ids) yield pages.get(id) ?? { versions: [] };
}

import {
  charsIn,
  everyDocument,
  everyVersion,
  historiesOf,
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
    const readers = await historiesOf(store, part, page);
    const firstPages = lookAhead(readers, limits.historiesAtOnce, async ([id, read]) => ({
      ...{ id, read, first: await read({}) },
    }));
    let chars = 0;
    for await (const { id, read, first } of firstPages) {
      chars += charsIn(first.versions);
      const next = (at: Page) => (at.cursor === undefined ? Promise.resolve(first) : read(at));
      yield { id, versions: documents ? everyDocument(next) : everyVersion(next) };
    }
    size.follow(chars, part.length);
  }
}

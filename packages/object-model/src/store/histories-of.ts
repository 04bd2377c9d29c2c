import { isCmError } from "../errors.ts";
import type { HistoryPage, ObjectStore, Page } from "./contract.ts";

/** Reads a history page by page, as `everyVersion` asks for it. */
export type HistoryReader = (page: Pick<Page, "cursor">) => Promise<HistoryPage>;

/**
 * Readers of the histories of some objects. A store that answers for many at once is asked once, so that a store that is
 * far away is not asked for each of them; where one of them is damaged, by halves.
 */
export async function historiesOf(
  store: Pick<ObjectStore, "history" | "histories">,
  ids: readonly string[],
  page: Omit<Page, "cursor">,
): Promise<ReadonlyMap<string, HistoryReader>> {
  const first = store.histories === undefined ? new Map<string, HistoryPage>() : await firstPages(store, ids, page);
  return new Map(
    ids.map((id) => {
      const read = first.get(id);
      return [
        id,
        async (at) => (at.cursor === undefined && read !== undefined ? read : store.history(id, { ...page, ...at })),
      ];
    }),
  );
}

/** Objects whose pages are read together; those that cannot be read are left out, and to be asked for one by one. */
async function firstPages(
  store: Pick<ObjectStore, "histories">,
  ids: readonly string[],
  page: Omit<Page, "cursor">,
): Promise<ReadonlyMap<string, HistoryPage>> {
  if (ids.length === 0) return new Map();
  try {
    const found = await store.histories?.(ids, page);
    return new Map(ids.map((id) => [id, found?.get(id) ?? { versions: [] }]));
  } catch (error) {
    if (!isCmError(error, "store/corrupt")) throw error;
    if (ids.length === 1) return new Map();
  }
  const half = Math.ceil(ids.length / 2);
  const first = await firstPages(store, ids.slice(0, half), page);
  const second = await firstPages(store, ids.slice(half), page);
  return new Map([...first, ...second]);
}

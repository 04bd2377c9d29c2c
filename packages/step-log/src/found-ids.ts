import { defined, type Filter, isCmError, limits as modelLimits, type ObjectStore } from "@cm/object-model";

/** The ids of all objects that meet a filter, page by page. */
export async function* foundIds(
  store: ObjectStore,
  filter: Filter,
  limit: number = modelLimits.pageRowsMax,
): AsyncGenerator<readonly string[]> {
  let cursor: string | undefined;
  do {
    const { versions, next } = await store.find(filter, { limit, ...defined({ cursor }) });
    yield versions.map(({ id }) => id);
    cursor = next;
  } while (cursor !== undefined);
}

/** Whether a store searches texts; one that does not says so. */
export async function searchesText(store: ObjectStore, filter: Filter): Promise<boolean> {
  try {
    await store.find(filter, { limit: 1 });
    return true;
  } catch (error) {
    if (isCmError(error, "store/unsupported")) return false;
    throw error;
  }
}

import type { HistoryPage, ListedVersion, Page } from "./contract.ts";

/**
 * All rows of `history` or `find`, in their order. A page is read when its first row is asked for, so a caller that has
 * enough stops and nothing more is read.
 */
export async function* everyVersion(
  read: (page: Pick<Page, "cursor">) => Promise<HistoryPage>,
): AsyncGenerator<ListedVersion> {
  let cursor: string | undefined;
  do {
    const page = await read(cursor === undefined ? {} : { cursor });
    yield* page.versions;
    cursor = page.next;
  } while (cursor !== undefined);
}

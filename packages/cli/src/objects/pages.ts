import { limits } from "../limits.ts";

interface Page {
  readonly limit: number;
  readonly cursor?: string;
}

/** All rows of a list that comes in pages, up to a number. */
export async function allOf<Row>(
  read: (page: Page) => Promise<{ readonly rows: readonly Row[]; readonly next: string | undefined }>,
  most: number = limits.rowsOfListMax,
): Promise<readonly Row[]> {
  const found: Row[] = [];
  for (let cursor: string | undefined; ; ) {
    const limit = Math.min(limits.rowsPerPage, most - found.length);
    const { rows, next } = await read({ limit, ...(cursor === undefined ? {} : { cursor }) });
    found.push(...rows);
    if (next === undefined || found.length >= most) return found;
    cursor = next;
  }
}

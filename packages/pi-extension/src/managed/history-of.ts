import type { ListedVersion, ObjectStore } from "@cm/object-model";
import { limits } from "../limits.ts";
import type { HistoryRow } from "./managed.ts";

/** Versions of an object, newest first; the newest ones where there are many. */
export async function historyOf(store: ObjectStore, id: string): Promise<readonly HistoryRow[]> {
  const { versions } = await store.history(id, { limit: limits.historyRowsMax, documents: true });
  return versions.map(rowOf);
}

function rowOf({ validTime, transactionTime, contentHash, document, erased }: ListedVersion): HistoryRow {
  const content = document !== undefined && "content" in document ? document.content : null;
  const reason = document !== undefined && "null_reason" in document ? document.null_reason : undefined;
  const note = erased === undefined ? reason : `erased: ${erased.reason}`;
  return {
    ...{ validAtMs: validTime.getTime(), writtenAtMs: transactionTime.getTime(), hash: contentHash },
    charCount: typeof content === "string" ? content.length : null,
    ...(typeof note === "string" ? { note } : {}),
  };
}

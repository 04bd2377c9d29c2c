import { coreDocumentTypes, defined } from "@cm/object-model";
import type { SqliteStoreOptions } from "../open-store.ts";
import type { ThreadOptions } from "./messages.ts";
import { StoreThread } from "./store-thread.ts";
import { type ThreadedSqliteStore, ThreadedStore } from "./threaded-store.ts";
import { takeStoreWorker } from "./workers.ts";

/**
 * `openSqliteStore` with the file in a thread of its own (SSOT 2.8, 7.4): neither a lock nor a slow disk blocks the caller's
 * loop. Calls are answered in order, and each keeps the process alive until it is. `now` is asked when a call is made.
 * A thread that ends fails its open commits and erasures with `store/unknown-outcome`, and every other and later call
 * with `store/unavailable`.
 * @throws CmError `store/unavailable`, `store/corrupt`
 */
export async function openSqliteStoreInThread(options: SqliteStoreOptions): Promise<ThreadedSqliteStore> {
  const { types = coreDocumentTypes, now, path, synchronous, busyTimeoutMs, readOnly } = options;
  const thread = new StoreThread({ worker: takeStoreWorker(), now });
  const sent: ThreadOptions = {
    path,
    ...defined({ synchronous, busyTimeoutMs, readOnly }),
  };
  try {
    const opened = await thread.ask("open", sent);
    return new ThreadedStore(thread, { path: opened.path, types });
  } catch (error) {
    await thread.end();
    throw error;
  }
}

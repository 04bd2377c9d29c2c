import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Edn, type EdnMap, type EdnSymbol, ednText } from "./edn-text.ts";
import { nodeLimits } from "./limits.ts";
import { postgresPool } from "./postgres-pool.ts";

/** The storage of a node. Folders are absolute or relative to the current one. */
export type NodeStorage =
  /** Gone with the process. */
  | { readonly kind: "memory" }
  /** Log, documents and index below one folder; each commit reaches the disk before it is acknowledged. */
  | { readonly kind: "rocksdb"; readonly folder: string; readonly checkpointFolder?: string }
  /** Log and documents in a database that several nodes share; the index belongs to this node alone. */
  | {
      readonly kind: "postgres";
      readonly url: string;
      readonly indexFolder: string;
      readonly checkpointFolder?: string;
    };

export interface NodeSettings {
  readonly storage: NodeStorage;
  readonly port: number;
  readonly host: string;
  readonly allowRemote: boolean;
  readonly token: string | undefined;
  readonly transactionFunctions: boolean;
  readonly heapMiB: number;
  readonly blockCacheBytes: number;
}

/** The whole system configuration of a node, as the one line of EDN that `cm.xtdb.main` reads from its stdin. */
export function configurationText(settings: NodeSettings): string {
  return ednText({
    ...storageParts(settings),
    // Every query could otherwise run code; only entity-history is allowed, for bulk reads.
    ":xtdb/query-engine": { ":fn-allow-list": [symbol("xtdb.api/entity-history")] },
    ":cm.xtdb.door/server": {
      ":xtdb/module": symbol("cm.xtdb.door/->server"),
      ":port": settings.port,
      ":host": settings.host,
      ":allow-remote?": settings.allowRemote,
      ":transaction-functions?": settings.transactionFunctions,
      ":token": settings.token,
      ":folders": foldersOf(settings.storage),
    },
  });
}

/** Where a full disk would stop the node. */
function foldersOf(storage: NodeStorage): readonly string[] {
  switch (storage.kind) {
    case "memory":
      return [];
    case "rocksdb":
      return [storage.folder];
    case "postgres":
      return [storage.indexFolder];
  }
}

const symbol = (name: string): EdnSymbol => ({ symbol: name });
const blockCache = ":xtdb.rocksdb/block-cache";

function storageParts({ storage, heapMiB, blockCacheBytes }: NodeSettings): EdnMap {
  const documentCache: EdnMap = {
    ":xtdb/module": symbol("xtdb.cache/->cache"),
    ":cache-size": Math.max(512, heapMiB * nodeLimits.cachedDocumentsPerHeapMiB),
  };
  const sharedBlocks: EdnMap = {
    [blockCache]: { ":xtdb/module": symbol("xtdb.rocksdb/->lru-block-cache"), ":cache-size": blockCacheBytes },
  };
  switch (storage.kind) {
    case "memory":
      return { ":xtdb/document-store": { ":document-cache": documentCache } };
    case "rocksdb":
      return {
        ...sharedBlocks,
        ":xtdb/tx-log": { ":kv-store": keyValues(join(storage.folder, "tx-log"), { ":sync?": true }) },
        ":xtdb/document-store": {
          ":kv-store": keyValues(join(storage.folder, "docs"), { ":sync?": true }),
          ":document-cache": documentCache,
        },
        ":xtdb/index-store": indexStore(join(storage.folder, "indices"), storage.checkpointFolder),
      };
    case "postgres": {
      const pool = ":xtdb.jdbc/connection-pool";
      const shared = { ":connection-pool": symbol(pool) };
      return {
        ...sharedBlocks,
        [pool]: postgresPool(storage.url),
        ":xtdb/tx-log": { ":xtdb/module": symbol("xtdb.jdbc/->tx-log"), ...shared },
        ":xtdb/document-store": {
          ":xtdb/module": symbol("xtdb.jdbc/->document-store"),
          ...shared,
          ":document-cache": documentCache,
        },
        ":xtdb/index-store": indexStore(storage.indexFolder, storage.checkpointFolder),
      };
    }
  }
}

/** The index can be made again from the log, so it is not flushed at every commit. */
function indexStore(folder: string, checkpointFolder: string | undefined): EdnMap {
  if (checkpointFolder === undefined) return { ":kv-store": keyValues(folder, {}) };
  const checkpointer: Edn = {
    ":xtdb/module": symbol("xtdb.checkpoint/->checkpointer"),
    ":approx-frequency": "PT6H",
    ":retention-policy": { ":retain-at-least": 2 },
    ":store": {
      ":xtdb/module": symbol("xtdb.checkpoint/->filesystem-checkpoint-store"),
      ":path": address(checkpointFolder),
    },
  };
  return { ":kv-store": keyValues(folder, { ":checkpointer": checkpointer }) };
}

/** The engine takes a path for a URI when it can, and would trip over a space in it. */
const address = (folder: string): string => pathToFileURL(folder).href;

function keyValues(folder: string, more: EdnMap): EdnMap {
  return {
    ":xtdb/module": symbol("xtdb.rocksdb/->kv-store"),
    ":db-dir": address(folder),
    ":block-cache": symbol(blockCache),
    ...more,
  };
}

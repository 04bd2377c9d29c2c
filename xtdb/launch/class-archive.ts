import { existsSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configurationText } from "./configuration.ts";
import type { Java } from "./java.ts";
import { javaArguments } from "./java-arguments.ts";
import { nodeLimits } from "./limits.ts";
import { startProcess, type XtdbNode } from "./node-process.ts";

export interface ArchiveInputs {
  readonly classPath: readonly string[];
  readonly temporaryFolder: string;
  readonly archive: string;
}

const submitted = '{:tx-ops [[:xtdb.api/put {:xt/id "a" :at #inst "2020-01-01" :n [1 2.5 {:k #{:s}}]}]]}';
const query = '{:query {:find [(pull e [*])] :in [[e ...]] :where [[e :xt/id]] :limit 5} :in-args [["a"]]}';

/** One request of each kind in each format: what they load goes into the archive. */
const exercises: readonly (readonly [path: string, body?: string, type?: string])[] = [
  ["status"],
  ["submit-tx", submitted, "application/edn"],
  ["submit-tx", '{"tx-ops": [["match", "b", null], ["put", {"xt/id": "b"}]]}', "application/json"],
  ["tx-committed?tx-id=1"],
  ["await-tx?tx-id=1"],
  ["sync?timeout=5000"],
  ["latest-completed-tx"],
  ["latest-submitted-tx"],
  ["db"],
  ["entity?eid=a"],
  ["entity-tx?eid=a"],
  ["entity?eid=a&history=true&sortOrder=asc&sort-order=asc&with-docs=true&with-corrections=true"],
  ["query", query, "application/edn"],
  ["tx-log?with-ops=true"],
];
const formats = ["application/json", "application/edn", "application/transit+json"];

/**
 * Makes the JVM's archive of loaded classes by running a RocksDB node once: every later start maps it instead of
 * loading 10,000 classes. An archive is a matter of speed alone, so where one cannot be made the answer is false.
 */
export async function makeClassArchive(java: Java, inputs: ArchiveInputs, signal?: AbortSignal): Promise<boolean> {
  const { classPath, temporaryFolder, archive } = inputs;
  const folder = await mkdtemp(join(tmpdir(), "cm-xtdb-archive-"));
  const part = `${archive}.part`;
  const heapMiB = nodeLimits.quickHeapMiB;
  const args = javaArguments(java, { classPath, temporaryFolder, heapMiB, quick: true, archive: { make: part } });
  const configuration = configurationText({
    storage: { kind: "rocksdb", folder },
    port: 0,
    host: "127.0.0.1",
    allowRemote: false,
    token: undefined,
    transactionFunctions: false,
    heapMiB,
    blockCacheBytes: nodeLimits.quickBlockCacheBytes,
  });
  try {
    const node = await startProcess(java.executable, args, configuration, { startMs: nodeLimits.archiveMs, signal });
    try {
      await exercise(node, signal);
    } finally {
      // Writing the archive takes longer than a stop usually may.
      await node.stop(nodeLimits.archiveMs);
    }
    if (!existsSync(part)) return false;
    await rename(part, archive);
    return true;
  } finally {
    await rm(part, { force: true });
    await rm(folder, { recursive: true, force: true });
  }
}

async function exercise(node: XtdbNode, signal?: AbortSignal): Promise<void> {
  for (const accept of formats) {
    for (const [path, body, type = "application/edn"] of exercises) {
      const limit = AbortSignal.timeout(30_000);
      const response = await fetch(`${node.url}/_xtdb/${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { accept, ...(body === undefined ? {} : { "content-type": type }) },
        ...(body === undefined ? {} : { body }),
        signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
      }).catch(() => undefined);
      // The answer does not matter here: what it made the node load does.
      await response?.arrayBuffer().catch(() => undefined);
    }
  }
}

import { configurationText } from "./configuration.ts";
import { bench } from "./folders.ts";
import { nodeLimits } from "./limits.ts";
import { NodeError } from "./node-error.ts";
import { runClojure } from "./run-clojure.ts";
import { lastLines } from "./run-program.ts";

/**
 * Milliseconds that the engine needs for each transaction of a file (EDN, one a line) inside its own Java process, on
 * RocksDB in a new folder: what the door adds is the rest. @throws NodeError
 */
export async function engineTimes(file: string, folder: string): Promise<readonly number[]> {
  const { heapMiB, blockCacheBytes } = nodeLimits;
  const configuration = configurationText({
    storage: { kind: "rocksdb", folder },
    ...{ port: 0, host: "127.0.0.1", allowRemote: false, token: undefined, transactionFunctions: false },
    ...{ heapMiB, blockCacheBytes },
  });
  const { code, output } = await runClojure({
    ...{ sources: bench, main: "cm.bench.engine", args: [file, configuration] },
    ...{ heapMiB, quick: false, logLevel: "WARN" },
  });
  if (code !== 0) throw new NodeError("node/maintenance", `The engine alone failed: ${lastLines(output)}`);
  return [...output.matchAll(/^ms ([\d.]+)$/gm)].map(([, ms]) => Number(ms));
}

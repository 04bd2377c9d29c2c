import { delimiter, join } from "node:path";
import { configurationText } from "./configuration.ts";
import { requireJava } from "./java.ts";
import { javaArguments, javaEnvironment } from "./java-arguments.ts";
import { nodeLimits } from "./limits.ts";
import { NodeError } from "./node-error.ts";
import { findPrepared, prepare } from "./prepare.ts";
import { lastLines, runProgram } from "./run-program.ts";

const bench = join(import.meta.dirname, "../bench");

/**
 * Milliseconds that the engine needs for each transaction of a file (EDN, one a line) inside its own Java process, on
 * RocksDB in a new folder: what the door adds is the rest. @throws NodeError
 */
export async function engineTimes(file: string, folder: string): Promise<readonly number[]> {
  await prepare();
  const java = requireJava();
  const prepared = findPrepared(java);
  if (prepared === undefined) throw new NodeError("node/not-prepared", "XTDB is not prepared; run the command again.");
  const configuration = configurationText({
    storage: { kind: "rocksdb", folder },
    ...{ port: 0, host: "127.0.0.1", allowRemote: false, token: undefined, transactionFunctions: false },
    heapMiB: nodeLimits.heapMiB,
    blockCacheBytes: nodeLimits.blockCacheBytes,
  });
  const flags = javaArguments(java, {
    classPath: [prepared.classPath.join(delimiter), bench],
    temporaryFolder: prepared.temporaryFolder,
    heapMiB: nodeLimits.heapMiB,
    quick: false,
    logLevel: "WARN",
  });
  const { code, output } = await runProgram(
    java.executable,
    [...flags, "clojure.main", "-m", "cm.bench.engine", file, configuration],
    {
      env: javaEnvironment(),
      timeoutMs: nodeLimits.maintenanceMs,
    },
  );
  if (code !== 0) throw new NodeError("node/maintenance", `The engine alone failed: ${lastLines(output)}`);
  return [...output.matchAll(/^ms ([\d.]+)$/gm)].map(([, ms]) => Number(ms));
}

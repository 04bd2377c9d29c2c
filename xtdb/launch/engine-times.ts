import { delimiter, join } from "node:path";
import { requireJava } from "./java.ts";
import { javaArguments, javaEnvironment } from "./java-arguments.ts";
import { nodeLimits } from "./limits.ts";
import { NodeError } from "./node-error.ts";
import { findPrepared, prepare } from "./prepare.ts";
import { lastLines, runProgram } from "./run-program.ts";

const bench = join(import.meta.dirname, "../bench");

/**
 * Milliseconds that the engine needs for each transaction of a file (EDN, one a line) inside its own Java process, in
 * memory: what the door adds is the rest. @throws NodeError
 */
export async function engineTimes(file: string): Promise<readonly number[]> {
  await prepare();
  const java = requireJava();
  const prepared = findPrepared(java);
  if (prepared === undefined) throw new NodeError("node/not-prepared", "XTDB is not prepared; run the command again.");
  const flags = javaArguments(java, {
    classPath: [prepared.classPath.join(delimiter), bench],
    temporaryFolder: prepared.temporaryFolder,
    heapMiB: nodeLimits.heapMiB,
    quick: false,
    logLevel: "WARN",
  });
  const { code, output } = await runProgram(
    java.executable,
    [...flags, "clojure.main", "-m", "cm.bench.engine", file],
    {
      env: javaEnvironment(),
      timeoutMs: nodeLimits.maintenanceMs,
    },
  );
  if (code !== 0) throw new NodeError("node/maintenance", `The engine alone failed: ${lastLines(output)}`);
  return [...output.matchAll(/^ms ([\d.]+)$/gm)].map(([, ms]) => Number(ms));
}

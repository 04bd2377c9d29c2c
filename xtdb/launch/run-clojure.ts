import { requireJava } from "./java.ts";
import { javaArguments, javaEnvironment } from "./java-arguments.ts";
import { nodeLimits } from "./limits.ts";
import { NodeError } from "./node-error.ts";
import { findPrepared, type PrepareOptions, prepare } from "./prepare.ts";
import { type Ended, runProgram } from "./run-program.ts";

export interface ClojureProgram {
  /** The folder of its sources, where it is not compiled beside the door. */
  readonly sources?: string;
  /** Its namespace, which has a `-main`. */
  readonly main: string;
  readonly args: readonly string[];
  readonly heapMiB: number;
  readonly quick: boolean;
  readonly logLevel?: "INFO" | "WARN";
}

/** Runs a program of ours beside the engine's jars, in a Java process of its own, to its end. @throws NodeError */
export async function runClojure(program: ClojureProgram, options: PrepareOptions = {}): Promise<Ended> {
  const { sources, main, args, ...settings } = program;
  await prepare(options);
  const java = requireJava();
  const prepared = findPrepared(java);
  if (prepared === undefined)
    throw new NodeError("node/not-prepared", "XTDB is not prepared; run the same command again.");
  const flags = javaArguments(java, {
    ...settings,
    classPath: [...prepared.classPath, ...(sources === undefined ? [] : [sources])],
    temporaryFolder: prepared.temporaryFolder,
    archive: prepared.archive === undefined ? undefined : { use: prepared.archive },
  });
  return runProgram(java.executable, [...flags, "clojure.main", "-m", main, ...args], {
    env: javaEnvironment(),
    timeoutMs: nodeLimits.maintenanceMs,
    signal: options.signal,
  });
}

import { existsSync } from "node:fs";
import { nodeLimits } from "./limits.ts";
import { NodeError } from "./node-error.ts";
import { runClojure } from "./run-clojure.ts";
import { lastLines } from "./run-program.ts";

export interface MaintenanceOptions {
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal;
}

/** The exit code of `scan` when it found something. */
const found = 3;

/**
 * The physical part of an erasure in the data folder of a stopped node: removes the index (it is made again) and the
 * checkpoints, which keep copies, and rewrites documents and log without what was overwritten.
 */
export function compact(
  folder: string,
  checkpointFolder: string | undefined,
  options: MaintenanceOptions,
): Promise<number> {
  return runTask("compact", [folder, ...(checkpointFolder === undefined ? [] : [checkpointFolder])], options);
}

/** Counts the stored values, live or only overwritten, that hold one of the texts; 3 when there is one. */
export function scan(folder: string, texts: readonly string[], options: MaintenanceOptions): Promise<number> {
  return runTask("scan", [folder, ...texts], options);
}

/** Copies log and documents of a stopped node into a new folder, which a node can be started on. */
export function backup(folder: string, target: string, options: MaintenanceOptions): Promise<number> {
  return runTask("backup", [folder, target], options);
}

async function runTask(task: string, args: readonly string[], options: MaintenanceOptions): Promise<number> {
  const { say, signal } = options;
  const [folder = ""] = args;
  if (!existsSync(folder))
    throw new NodeError("node/folder", `${folder} does not exist; name the folder given to --data.`);
  const ended = await runClojure(
    { main: `cm.maintenance.${task}`, args, heapMiB: nodeLimits.quickHeapMiB, quick: true },
    { progress: (line) => say(`${line} ...`), ...(signal === undefined ? {} : { signal }) },
  );
  if (ended.outcome === "aborted") throw new NodeError("node/aborted", `${task} was interrupted; run it again.`);
  if (ended.code !== 0 && ended.code !== found) {
    const [, sentence] = /^refused: (.+)$/m.exec(ended.output) ?? [];
    throw new NodeError("node/maintenance", sentence ?? `${task} failed: ${lastLines(ended.output)}`);
  }
  console.log(ended.output.trimEnd());
  return ended.code;
}

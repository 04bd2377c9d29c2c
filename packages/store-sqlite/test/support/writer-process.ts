import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("./writer.ts", import.meta.url));

const cacheScript = fileURLToPath(new URL("./cache-writer.ts", import.meta.url));

export interface WriterEnd {
  /** Commits that the writer acknowledged. */
  readonly acknowledged: number;
  readonly exitCode: number | null;
  readonly stderr: string;
}

export interface WriterTask {
  readonly path: string;
  readonly name: string;
  readonly how: "puts" | "increments";
  readonly count: number;
  /** Kills the process when this many commits are acknowledged, and then some time into the next ones. */
  readonly kill?: { readonly afterCommits: number; readonly andMs: number };
}

/** Runs a writer to its end, or to its kill. */
export async function runWriter({ path, name, how, count, kill }: WriterTask): Promise<WriterEnd> {
  const child = spawn(process.execPath, [script, path, name, how, `${count}`], { stdio: ["ignore", "pipe", "pipe"] });
  let acknowledged = 0;
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (lines: string) => {
    acknowledged += lines.split("\n").length - 1;
    if (kill !== undefined && acknowledged >= kill.afterCommits) killAt(child, performance.now() + kill.andMs);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const [exitCode] = await once(child, "close");
  return { acknowledged, exitCode, stderr };
}

/** Waits by spinning: a timer is too coarse to hit a transaction of a millisecond at every place. */
function killAt(child: ChildProcess, moment: number): void {
  if (child.killed) return;
  while (performance.now() < moment) {}
  child.kill("SIGKILL");
}

/** Runs a process that saves into a state cache until all that it saved is known. */
export async function runCacheWriter(path: string, name: string, count: number): Promise<{ readonly stderr: string }> {
  const child = spawn(process.execPath, [cacheScript, path, name, `${count}`], { stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  await once(child, "close");
  return { stderr };
}

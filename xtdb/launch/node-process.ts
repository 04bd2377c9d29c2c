import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { javaEnvironment } from "./java-arguments.ts";
import { nodeLimits } from "./limits.ts";
import { NodeError } from "./node-error.ts";

/** A running node. */
export interface XtdbNode {
  /** Its address, such as `http://127.0.0.1:3999`; XTDB's paths begin with `/_xtdb/`. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** The exit code once the process is gone, null when a signal ended it. */
  readonly exited: Promise<number | null>;
  /** The same with the signal that ended it. */
  readonly ended: Promise<NodeEnd>;
  /** Stops it cleanly; after `limitMs`, by default `nodeLimits.stopMs`, it is killed. Resolves when the process is gone. */
  stop(limitMs?: number): Promise<void>;
  /** SIGKILL, as a crash would be. Resolves when the process is gone. */
  kill(): Promise<void>;
}

export interface NodeEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ProcessOptions {
  readonly startMs?: number;
  /** Gets every line of the node's own log. */
  readonly log?: ((line: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Goes into the sentence of a failed start, such as ` on /var/lib/cm`. */
  readonly where?: string;
}

/**
 * Starts `cm.xtdb.main`. The configuration goes through stdin, where no list of processes shows it, and stdin stays
 * open: its end tells the node to stop, so a parent that dies in whatever way leaves no Java behind.
 */
export async function startProcess(
  executable: string,
  args: readonly string[],
  configuration: string,
  options: ProcessOptions = {},
): Promise<XtdbNode> {
  // In a group of its own: Ctrl-C in a terminal would reach it together with us, and twice.
  const child = spawn(executable, [...args, "clojure.main", "-m", "cm.xtdb.main"], {
    detached: true,
    env: javaEnvironment(),
  });
  const ended = new Promise<NodeEnd>((resolve) => {
    child.on("error", () => child.pid === undefined && resolve({ code: null, signal: null }));
    child.on("close", (code, signal) => resolve({ code, signal }));
  });
  const exited = ended.then(({ code }) => code);
  // A node that dies early closes its stdin before the line is through.
  child.stdin.on("error", () => {});
  child.stdin.write(`${configuration}\n`);
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await exited;
  };
  try {
    const url = await listening(child, options);
    return {
      url,
      port: Number(new URL(url).port),
      pid: child.pid ?? 0,
      exited,
      ended,
      stop: (limitMs) => stop(child, exited, limitMs),
      kill,
    };
  } catch (error) {
    await kill();
    throw error;
  }
}

async function stop(
  child: ChildProcessWithoutNullStreams,
  exited: Promise<unknown>,
  limitMs: number = nodeLimits.stopMs,
): Promise<void> {
  child.stdin.end();
  const timer = setTimeout(() => child.kill("SIGKILL"), limitMs);
  await exited;
  clearTimeout(timer);
}

async function listening(child: ChildProcessWithoutNullStreams, options: ProcessOptions): Promise<string> {
  const { startMs = nodeLimits.startMs, log, signal, where = "" } = options;
  const settled = new AbortController();
  const recent: string[] = [];
  const remember = (line: string): void => {
    recent.push(line.slice(0, nodeLimits.logLineCharactersMax));
    if (recent.length > nodeLimits.logLinesMax) recent.shift();
  };
  createInterface({ input: child.stderr }).on("line", (line) => {
    log?.(line);
    if (!settled.signal.aborted) remember(line);
  });
  const limit = AbortSignal.any([AbortSignal.timeout(startMs), ...(signal === undefined ? [] : [signal])]);
  try {
    return await Promise.race([
      announcement(child, remember, where),
      gone(child, settled.signal, recent),
      expiry(limit, settled.signal, () => tooSlow(signal?.aborted === true, startMs, recent)),
    ]);
  } finally {
    settled.abort();
  }
}

/** The one line on stdout that says where the node listens, or why it does not. */
function announcement(
  child: ChildProcessWithoutNullStreams,
  remember: (line: string) => void,
  where: string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const [, word, rest = ""] = /^(listening|cannot start:) (.+)$/.exec(line) ?? [];
      if (word === "listening") resolve(rest);
      else if (word === undefined) remember(line);
      else reject(new NodeError("node/cannot-start", `XTDB cannot start${where}: ${rest}`));
    });
  });
}

async function gone(child: ChildProcessWithoutNullStreams, settled: AbortSignal, recent: string[]): Promise<never> {
  // `close` comes after the last line of output, `exit` may come before.
  const [code, name] = await Promise.race([
    once(child, "close", { signal: settled }),
    once(child, "error", { signal: settled }).then(([error]) => [String(error), ""]),
  ]);
  const last = recent.at(-1) ?? "it said nothing";
  throw new NodeError(
    "node/cannot-start",
    `XTDB ended with ${code ?? name} before it listened: ${last}`,
    recent.join("\n"),
  );
}

async function expiry(limit: AbortSignal, settled: AbortSignal, failure: () => NodeError): Promise<never> {
  if (!limit.aborted) await once(limit, "abort", { signal: settled });
  throw failure();
}

function tooSlow(aborted: boolean, startMs: number, recent: readonly string[]): NodeError {
  if (aborted) return new NodeError("node/aborted", "Starting XTDB was interrupted.");
  const said = recent.length === 0 ? "It said nothing." : `Its last words:\n${recent.slice(-5).join("\n")}`;
  return new NodeError("node/start-timeout", `XTDB did not listen within ${startMs / 1000} s and was ended. ${said}`);
}

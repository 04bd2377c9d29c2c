import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServeRequest, Storage } from "./cli-arguments.ts";
import type { NodeStorage } from "./configuration.ts";
import { interruption } from "./interruption.ts";
import { isNodeError, NodeError } from "./node-error.ts";
import type { NodeEnd, XtdbNode } from "./node-process.ts";
import { prepare } from "./prepare.ts";
import { startNode } from "./start-node.ts";

/** Runs a node until a signal or its own end; returns the exit code. */
export async function serve(request: ServeRequest, say: (line: string) => void): Promise<number> {
  const { signal, release } = interruption();
  // XTDB prints a stack trace where it is stopped while it indexes, and ends well: what it says then is told if it does not.
  const saidWhileStopping: string[] = [];
  const log = (line: string): void => {
    if (signal.aborted && !request.verbose) saidWhileStopping.push(line);
    else say(line);
  };
  let leaves: string | undefined;
  try {
    const token = readToken(request.tokenFile);
    await prepare({ progress: (line) => say(`${line} ...`), signal });
    if (typeof request.storage === "object" && "postgres" in request.storage && request.storage.index === undefined) {
      leaves = await mkdtemp(join(tmpdir(), "cm-xtdb-index-"));
    }
    const node = await startNode({
      storage: { ...nodeStorage(request.storage, leaves), ...checkpoint(request) },
      port: request.port,
      ...(request.host === undefined ? {} : { host: request.host }),
      allowRemote: request.allowRemote,
      ...(token === undefined ? {} : { token }),
      transactionFunctions: request.transactionFunctions,
      ...(request.heapMiB === undefined ? {} : { heapMiB: request.heapMiB }),
      quick: request.quick,
      logLevel: request.verbose ? "INFO" : "WARN",
      log,
      signal,
    });
    if (request.allowRemote && token === undefined) {
      say("Every client that reaches this address may read and write everything: no token is required (--token-file).");
    }
    console.log(`XTDB answers at ${node.url} (${kept(request.storage)}; Ctrl-C stops it)`);
    const code = await untilEnd(node, { signal, say, isKept: request.storage !== "memory" });
    if ((await node.exited) !== 0) for (const line of saidWhileStopping) say(line);
    return code;
  } catch (error) {
    // Asked to end while it was starting: that is what it did.
    if (isNodeError(error) && error.code === "node/aborted") return 130;
    throw error;
  } finally {
    release();
    if (leaves !== undefined) await rm(leaves, { recursive: true, force: true });
  }
}

interface Watch {
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  /** Whether what was acknowledged outlives the process. */
  readonly isKept: boolean;
}

async function untilEnd(node: XtdbNode, { signal, say, isKept }: Watch): Promise<number> {
  const ended = new AbortController();
  const asked = signal.aborted ? Promise.resolve() : once(signal, "abort", { signal: ended.signal }).catch(() => {});
  await Promise.race([asked, node.exited]);
  ended.abort();
  if (signal.aborted) {
    await node.stop();
    return 0;
  }
  say(endText(await node.ended, isKept));
  return 1;
}

/** Why a node ended that was not stopped. The codes are Java's for memory that ran out, and the door's own. */
function endText({ code, signal }: NodeEnd, isKept: boolean): string {
  const kept = isKept ? "What was acknowledged is kept; start it again." : "It was in memory: what it held is gone.";
  if (signal !== null) return `XTDB was ended by ${signal}, perhaps because the machine ran out of memory. ${kept}`;
  if (code === 3) {
    const more = isKept ? "--heap gives it more." : "--heap gives it more, and --data DIR keeps it on disk.";
    return `XTDB ran out of memory and ended. ${kept} ${more}`;
  }
  if (code === 4) return `XTDB ended itself because it could not stop a query. ${kept}`;
  return `XTDB ended by itself with exit code ${code}; --verbose shows its log.`;
}

function nodeStorage(storage: Storage, ownIndex = ""): NodeStorage {
  if (storage === "memory") return { kind: "memory" };
  if ("data" in storage) return { kind: "rocksdb", folder: storage.data };
  return { kind: "postgres", url: withPassword(storage.postgres), indexFolder: storage.index ?? ownIndex };
}

const checkpoint = ({ checkpoint: folder }: ServeRequest) => (folder === undefined ? {} : { checkpointFolder: folder });

function kept(storage: Storage): string {
  if (storage === "memory") return "in memory";
  return "data" in storage ? `data in ${storage.data}` : "data in Postgres";
}

/** As psql does: the environment does not show in the list of processes. */
function withPassword(address: string): string {
  const password = process.env.PGPASSWORD;
  if (!password || !URL.canParse(address)) return address;
  const url = new URL(address);
  if (url.password === "") url.password = encodeURIComponent(password);
  return url.href;
}

function readToken(file: string | undefined): string | undefined {
  if (file === undefined) return process.env.CM_XTDB_TOKEN || undefined;
  try {
    return readFileSync(file, "utf8").trim();
  } catch (cause) {
    throw new NodeError("node/invalid", `The token file ${file} cannot be read.`, cause);
  }
}

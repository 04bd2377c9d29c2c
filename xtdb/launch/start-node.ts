import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { configurationText, type NodeStorage } from "./configuration.ts";
import { requireJava } from "./java.ts";
import { javaArguments } from "./java-arguments.ts";
import { nodeLimits } from "./limits.ts";
import { NodeError } from "./node-error.ts";
import { startProcess, type XtdbNode } from "./node-process.ts";
import { findPrepared } from "./prepare.ts";

export interface StartOptions {
  /** Memory by default. */
  readonly storage?: NodeStorage;
  /** 0, the default, is a free one. */
  readonly port?: number;
  /** 127.0.0.1 by default. */
  readonly host?: string;
  /** Must be true for a host that other machines can reach. */
  readonly allowRemote?: boolean;
  /** When given, every request must carry it as `Authorization: Bearer TOKEN`. */
  readonly token?: string;
  /** Lets every writer run code inside the node. */
  readonly transactionFunctions?: boolean;
  /** Starts sooner with a small heap and works more slowly: for tests. */
  readonly quick?: boolean;
  readonly heapMiB?: number;
  /** How long the start may take before it is given up. */
  readonly startMs?: number;
  /** Gets every line of the node's own log. */
  readonly log?: (line: string) => void;
  readonly logLevel?: "INFO" | "WARN";
  readonly signal?: AbortSignal;
}

/**
 * Starts a node and resolves when it answers. `prepare()` must have been called on this machine before; it throws a
 * NodeError with one sentence when it was not, and when the node cannot start.
 */
export async function startNode(options: StartOptions = {}): Promise<XtdbNode> {
  const quick = options.quick ?? false;
  const heapMiB = options.heapMiB ?? (quick ? nodeLimits.quickHeapMiB : nodeLimits.heapMiB);
  check(options, heapMiB);
  const java = requireJava();
  const prepared = findPrepared(java);
  if (prepared === undefined) {
    throw new NodeError("node/not-prepared", "XTDB is not prepared on this machine; run `npm run xtdb -- prepare`.");
  }
  const { classPath, temporaryFolder, archive } = prepared;
  const configuration = configurationText({
    storage: withFolders(options.storage ?? { kind: "memory" }),
    port: options.port ?? 0,
    host: options.host ?? "127.0.0.1",
    allowRemote: options.allowRemote ?? false,
    token: options.token,
    transactionFunctions: options.transactionFunctions ?? false,
    heapMiB,
    blockCacheBytes: quick ? nodeLimits.quickBlockCacheBytes : nodeLimits.blockCacheBytes,
  });
  const args = javaArguments(java, {
    classPath,
    temporaryFolder,
    heapMiB,
    quick,
    archive: archive === undefined ? undefined : { use: archive },
    ...(options.logLevel === undefined ? {} : { logLevel: options.logLevel }),
  });
  const { log, signal, startMs = nodeLimits.startMs } = options;
  const where = whereabouts(options.storage);
  return startProcess(java.executable, args, configuration, { log, signal, startMs, where });
}

/** The folder or database that a failure names beside its reason, without user and password. */
function whereabouts(storage: NodeStorage | undefined): string {
  if (storage?.kind === "rocksdb") return ` on ${storage.folder}`;
  if (storage?.kind !== "postgres") return "";
  const { host, pathname } = new URL(storage.url);
  return ` on Postgres ${host}${pathname} with its index in ${storage.indexFolder}`;
}

function check({ port = 0, token }: StartOptions, heapMiB: number): void {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new NodeError("node/invalid", "The port must be a whole number from 0, meaning a free one, to 65535.");
  }
  const { leastHeapMiB, mostHeapMiB, tokenCharactersMax } = nodeLimits;
  if (!Number.isInteger(heapMiB) || heapMiB < leastHeapMiB || heapMiB > mostHeapMiB) {
    throw new NodeError("node/invalid", `The heap must be a whole number of MiB, at least ${leastHeapMiB}.`);
  }
  // RFC 6750: anything else could not be sent in the header.
  if (token !== undefined && (!/^[\w\-.~+/]+=*$/.test(token) || token.length > tokenCharactersMax)) {
    throw new NodeError("node/invalid", "The token must be one word of letters, digits and -._~+/ only.");
  }
}

/** Makes the folders here, where a failure can still name them. */
function withFolders(storage: NodeStorage): NodeStorage {
  switch (storage.kind) {
    case "memory":
      return storage;
    case "rocksdb":
      return { ...storage, folder: writable(storage.folder), ...checkpoints(storage.checkpointFolder) };
    case "postgres":
      return { ...storage, indexFolder: writable(storage.indexFolder), ...checkpoints(storage.checkpointFolder) };
  }
}

const checkpoints = (folder: string | undefined): { checkpointFolder?: string } =>
  folder === undefined ? {} : { checkpointFolder: writable(folder) };

/**
 * Level by level: where the system says of a folder that it is there and of what is made in it that it is not, as below
 * `/proc`, Node's own way of making all levels at once goes on for ever and no signal ends it.
 */
function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let level = folder; !existsSync(level) && dirname(level) !== level; level = dirname(level)) missing.push(level);
  for (const level of missing.reverse()) {
    try {
      mkdirSync(level, { mode: 0o700 });
    } catch (error) {
      // Another process was faster.
      if (!existsSync(level)) throw error;
    }
  }
}

function writable(path: string): string {
  if (!path.isWellFormed()) throw new NodeError("node/invalid", "The name of a folder must be well-formed Unicode.");
  const folder = resolve(path);
  if (/[\u{10000}-\u{10ffff}]/u.test(folder)) {
    throw new NodeError(
      "node/folder",
      "RocksDB cannot use a folder with an emoji or the like in its path; name another.",
    );
  }
  try {
    // It will hold what files and tools said.
    makeFolder(folder);
    accessSync(folder, constants.W_OK | constants.X_OK);
    return folder;
  } catch (cause) {
    throw new NodeError("node/folder", `${folder} cannot be used as a folder to write in; name another.`, cause);
  }
}

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, globSync, mkdirSync, mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { fillData } from "./fill-data.ts";
import { freePort } from "./free-port.ts";
import { saidReady, startMs } from "./said-ready.ts";
import { unprivileged } from "./unprivileged.ts";

export interface PostgresOptions {
  /** `true`: a commit waits for the disk, as on a machine that people use. Default: `false`, which is faster. */
  readonly durable?: boolean;
  /** Further settings as they stand in `postgresql.conf`, such as `max_connections=200`. */
  readonly settings?: readonly string[];
  /** An existing folder for the data in place of a temporary one, such as a small disk; it is emptied at the end. */
  readonly folder?: string;
}

/** A Postgres of the test's own, on a free port of this machine. */
export interface PrivatePostgres {
  /** `postgres://cm@127.0.0.1:PORT/postgres`; asks for no password. */
  readonly url: string;
  readonly port: number;
  /** The folder of the data. */
  readonly data: string;
  /** SIGKILL to the server. Acknowledged commits survive it, with or without `durable`. */
  kill(): Promise<void>;
  /** Ends the server as an administrator does: without waiting for clients. */
  halt(): Promise<void>;
  /** Starts it again on the same port, after `kill` or `halt`. */
  start(): Promise<void>;
  /** Resolves when the server is gone and its folder removed. */
  stop(): Promise<void>;
  /**
   * A second server that follows this one. From then on a commit here is acknowledged when both have it, and readers there see it
   * a moment later. Once for each server.
   */
  startStandby(options?: StandbyOptions): Promise<PrivateStandby>;
}

export interface StandbyOptions {
  /** `false`: it refuses connections until it is promoted. Default: it answers readers. */
  readonly answers?: boolean;
}

/** A server that follows another one and is read-only. */
export interface PrivateStandby extends PrivatePostgres {
  /** Makes it a server of its own, which takes commits. */
  promote(): Promise<void>;
}

/** The folder of the newest Postgres on this machine, or undefined. */
export function findPostgres(): string | undefined {
  const version = (path: string): number => Number(/postgresql\/(\d+)\//.exec(path)?.[1] ?? 0);
  const [newest] = globSync("/usr/lib/postgresql/*/bin").sort((a, b) => version(b) - version(a));
  return newest !== undefined && existsSync(join(newest, "initdb")) ? newest : undefined;
}

/** Starts Postgres with an empty database. */
export async function startPrivatePostgres(options: PostgresOptions = {}): Promise<PrivatePostgres> {
  const programs = findPostgres();
  if (programs === undefined) throw new Error("Postgres is missing; install postgresql-15 (see tools/ci-setup).");
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), "cm-postgres-"));
  try {
    const server = new Server(programs, folder, { ...options, port: await freePort() });
    await fillData(server.data, programs, (args) => server.run("initdb", args));
    await server.start();
    return server;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

const isPrimary = "ready to accept connections";
const isFollowing = "started streaming WAL";

class Server implements PrivateStandby {
  readonly data: string;
  readonly port: number;
  readonly #programs: string;
  readonly #folder: string;
  readonly #settings: readonly string[];
  /** The folder as working directory: the user `postgres` may not enter root's home. */
  readonly #how: { readonly cwd: string; readonly uid?: number; readonly gid?: number };
  #process: ChildProcess | undefined;
  /** What it says when it is ready. */
  #words = isPrimary;

  /** The folder of the data is there and empty. */
  constructor(
    programs: string,
    folder: string,
    { durable = false, settings = [], port }: PostgresOptions & { readonly port: number },
  ) {
    this.#programs = programs;
    this.#folder = folder;
    this.port = port;
    this.data = join(folder, "data");
    this.#settings = [durable ? "fsync=on" : "fsync=off", ...settings];
    const owner = unprivileged();
    this.#how = { cwd: folder, ...owner };
    if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
    mkdirSync(this.data, { mode: 0o700 });
    if (owner !== undefined) chownSync(this.data, owner.uid, owner.gid);
  }

  /** One of Postgres' own programs, as the server's user. */
  async run(program: string, args: readonly string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(join(this.#programs, program), args, this.#how);
    return String(stdout);
  }

  get url(): string {
    return `postgres://cm@127.0.0.1:${this.port}/postgres`;
  }

  async start(): Promise<void> {
    const until = performance.now() + startMs;
    for (;;) {
      try {
        return await this.#startOnce();
      } catch (error) {
        // Processes of a server that was killed live until they notice, and hold its memory so long.
        const isHeld = error instanceof Error && error.message.includes("is still in use");
        if (!isHeld || performance.now() > until) throw error;
        await pause(50);
      }
    }
  }

  async #startOnce(): Promise<void> {
    const settings = this.#settings.flatMap((setting) => ["-c", setting]);
    const at = ["-D", this.data, "-h", "127.0.0.1", "-p", String(this.port), "-k", this.#folder];
    this.#process = spawn(join(this.#programs, "postgres"), [...at, ...settings], {
      ...this.#how,
      stdio: ["ignore", "ignore", "pipe"],
    });
    await saidReady(this.#process, "Postgres", this.#words);
  }

  async startStandby({ answers = true }: StandbyOptions = {}): Promise<PrivateStandby> {
    const folder = mkdtempSync(join(tmpdir(), "cm-standby-"));
    const settings = [...this.#settings, `hot_standby=${answers ? "on" : "off"}`];
    const standby = new Server(this.#programs, folder, { settings, port: await freePort() });
    try {
      await standby.run("pg_basebackup", ["-d", this.url, "-D", standby.data, "-R", "-c", "fast", "--no-sync"]);
      standby.#words = isFollowing;
      await standby.start();
      await this.#psql("ALTER SYSTEM SET synchronous_standby_names = '*'");
      await this.#psql("SELECT pg_reload_conf()");
      const until = performance.now() + startMs;
      while ((await this.#psql("SELECT sync_state FROM pg_stat_replication")) !== "sync") {
        if (performance.now() > until) throw new Error("The standby does not follow its primary synchronously.");
        await pause(20);
      }
      // The checkpointer is the one that makes commits wait; it takes the settings in before it does this.
      await this.#psql("CHECKPOINT");
      return standby;
    } catch (error) {
      await standby.stop();
      throw error;
    }
  }

  /** The answer of one statement, without its end of line. */
  async #psql(sql: string): Promise<string> {
    return (await this.run("psql", [this.url, "-qXAtc", sql])).trimEnd();
  }

  async promote(): Promise<void> {
    await this.run("pg_ctl", ["promote", "-w", "-D", this.data]);
    this.#words = isPrimary;
  }

  kill(): Promise<void> {
    return this.#end("SIGKILL");
  }

  halt(): Promise<void> {
    // The fast shutdown: it does not wait for the clients.
    return this.#end("SIGINT");
  }

  async stop(): Promise<void> {
    await this.halt();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const process = this.#process;
    this.#process = undefined;
    if (process === undefined) return;
    if (process.exitCode !== null || process.signalCode !== null) return;
    const gone = once(process, "exit");
    process.kill(signal);
    await gone;
  }
}

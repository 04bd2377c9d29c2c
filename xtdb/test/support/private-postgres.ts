import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, globSync, mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** A Postgres of the test's own, on a free port of this machine. */
export interface PrivatePostgres {
  /** `postgres://cm@127.0.0.1:PORT/postgres`; asks for no password. */
  readonly url: string;
  /** Resolves when the server is gone and its folder removed. */
  stop(): Promise<void>;
}

const startMs = 30_000;

/** The folder of the newest Postgres on this machine, or undefined. */
export function findPostgres(): string | undefined {
  const version = (path: string): number => Number(/postgresql\/(\d+)\//.exec(path)?.[1] ?? 0);
  const [newest] = globSync("/usr/lib/postgresql/*/bin").sort((a, b) => version(b) - version(a));
  return newest !== undefined && existsSync(join(newest, "initdb")) ? newest : undefined;
}

/** Starts Postgres with an empty database. Acknowledged commits survive a crash of nodes, not one of the machine. */
export async function startPrivatePostgres(): Promise<PrivatePostgres> {
  const programs = findPostgres();
  if (programs === undefined) throw new Error("Postgres is missing; install postgresql-15 (see tools/ci-setup).");
  const folder = mkdtempSync(join(tmpdir(), "cm-postgres-"));
  const owner = unprivileged();
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, "data");
  // The folder as working directory: the user `postgres` may not enter root's home.
  const how = { cwd: folder, ...owner };
  try {
    const shape = ["-U", "cm", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
    execFileSync(join(programs, "initdb"), ["-D", data, ...shape], { ...how, stdio: "pipe" });
    const port = await freePort();
    const settings = ["-h", "127.0.0.1", "-p", String(port), "-k", folder, "-c", "fsync=off"];
    const server = spawn(join(programs, "postgres"), ["-D", data, ...settings], {
      ...how,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const gone = new Promise<void>((resolve) => server.on("exit", () => resolve()));
    await ready(server);
    return { url: `postgres://cm@127.0.0.1:${port}/postgres`, stop: () => stop(server, gone, folder) };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Postgres refuses to run as root: then it becomes the user that its package made. */
function unprivileged(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (option: string): number => Number(execFileSync("id", [option, "postgres"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port of this machine is free");
  return address.port;
}

async function ready(server: ChildProcess): Promise<void> {
  const said: string[] = [];
  await new Promise<void>((resolve, reject) => {
    const fail = (why: string): void => {
      clearTimeout(timer);
      server.kill("SIGKILL");
      reject(new Error(`Postgres ${why}: ${said.slice(-3).join(" | ")}`));
    };
    const timer = setTimeout(fail, startMs, "was not ready in time");
    server.once("error", (error) => fail(error.message));
    const ended = (): void => fail("ended");
    server.once("exit", ended);
    if (server.stderr === null) return fail("says nothing");
    createInterface({ input: server.stderr }).on("line", (line) => {
      said.push(line);
      if (!line.includes("ready to accept connections")) return;
      clearTimeout(timer);
      server.off("exit", ended);
      resolve();
    });
  });
}

async function stop(server: ChildProcess, gone: Promise<unknown>, folder: string): Promise<void> {
  // The fast shutdown: it does not wait for the clients.
  server.kill("SIGINT");
  await gone;
  await rm(folder, { recursive: true, force: true });
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { freePort } from "./free-port.ts";
import { saidReady } from "./said-ready.ts";
import type { PrivatePostgres } from "./start-postgres.ts";
import { unprivileged } from "./unprivileged.ts";

/** A PgBouncer of the test's own, in front of a private Postgres. */
export interface PrivatePgBouncer {
  /** The database of the Postgres behind it. */
  readonly url: string;
  stop(): Promise<void>;
}

/** The program, or undefined. Debian has it in `/usr/sbin`, which not every PATH names. */
export function findPgBouncer(): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"];
  return folders.map((folder) => join(folder, "pgbouncer")).find((path) => existsSync(path));
}

/** Starts PgBouncer in transaction mode: two statements of a client may run on two connections. */
export async function startPgBouncer(postgres: PrivatePostgres): Promise<PrivatePgBouncer> {
  const program = findPgBouncer();
  if (program === undefined) throw new Error("PgBouncer is missing; install pgbouncer (see tools/ci-setup).");
  const folder = mkdtempSync(join(tmpdir(), "cm-pgbouncer-"));
  const port = await freePort();
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(file, configuration(postgres.port, port, folder));
  writeFileSync(join(folder, "users"), '"cm" ""\n');
  const owner = unprivileged();
  for (const path of [folder, file, join(folder, "users")]) if (owner) chownSync(path, owner.uid, owner.gid);
  const server = spawn(program, [file], { cwd: folder, ...owner, stdio: ["ignore", "ignore", "pipe"] });
  try {
    await saidReady(server, "PgBouncer", "process up");
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    url: `postgres://cm@127.0.0.1:${port}/postgres`,
    stop: async () => {
      const gone = once(server, "exit");
      server.kill("SIGKILL");
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const configuration = (behind: number, port: number, folder: string): string => `[databases]
postgres = host=127.0.0.1 port=${behind} dbname=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir = ${folder}
auth_type = trust
auth_file = ${folder}/users
pool_mode = transaction
default_pool_size = 4
max_client_conn = 200
`;

import { randomBytes } from "node:crypto";
import { basename } from "node:path";
import { createMemoryStore } from "@cm/object-model";
import type { StoreKind } from "@cm/replay";
import { openSqliteStore } from "@cm/store-sqlite";
import type { Database } from "./database.ts";
import type { OutputFolder } from "./output-folder.ts";
import { inPostgres } from "./postgres-databases.ts";
import type { XtdbServer } from "./xtdb-server.ts";

/** Gives each run its database: one of its own (SSOT 6.3), or one for the whole command. */
export class Databases {
  readonly #open: (name: string) => Promise<Database>;
  readonly #server: XtdbServer | undefined;
  readonly #shared: Database | undefined;
  readonly #names = new Set<string>();

  /** @throws CmError `replay/xtdb` where no node can be had. */
  static async open(kind: StoreKind, output: OutputFolder, shared: boolean): Promise<Databases> {
    const server = kind === "xtdb" ? await xtdbServer() : undefined;
    const open = server === undefined ? opener(kind, output) : (name: string) => inNamespace(server, name);
    return new Databases(open, server, shared ? await open("shared") : undefined);
  }

  private constructor(
    open: (name: string) => Promise<Database>,
    server: XtdbServer | undefined,
    shared: Database | undefined,
  ) {
    this.#open = open;
    this.#server = server;
    this.#shared = shared;
  }

  async forRun(file: string, policy: string): Promise<Database> {
    if (this.#shared === undefined)
      return this.#open(this.#free(`${basename(file).replace(/\.[^.]+$/, "")}-${policy}`));
    return { ...this.#shared, release: async () => {} };
  }

  /** A note on the place of the databases, for the reader of the results. */
  get notes(): readonly string[] {
    return this.#server?.notes ?? [];
  }

  async close(): Promise<void> {
    try {
      await this.#shared?.release();
    } finally {
      await this.#server?.close();
    }
  }

  /** Recordings of different folders can have the same name. */
  #free(wanted: string): string {
    const safe = wanted.replace(/[^A-Za-z0-9._-]/g, "_");
    let name = safe;
    for (let count = 2; this.#names.has(name); count += 1) name = `${safe}-${count}`;
    this.#names.add(name);
    return name;
  }
}

function opener(kind: StoreKind, output: OutputFolder) {
  if (kind === "postgres") return inPostgres;
  return async (name: string): Promise<Database> => {
    const namespace = undefined;
    if (kind === "memory") return { namespace, store: createMemoryStore(), file: undefined, release: async () => {} };
    const file = `${name}.sqlite`;
    // A replay can be repeated and appears only when it is whole: it need not wait for the disk at every step.
    const store = openSqliteStore({ path: output.building(file), synchronous: "normal" });
    return { namespace, store, file, release: () => store.close() };
  };
}

/** The random part makes a session's ids unique on a node that was there before this command. */
async function inNamespace(server: XtdbServer, name: string): Promise<Database> {
  const namespace = `replay-${randomBytes(6).toString("hex")}-${name}`.slice(0, 64);
  const store = server.store(namespace);
  return { store, file: undefined, namespace, release: () => store.close() };
}

/** Loaded where it is asked for: its client takes as long to load as half of the rest. */
async function xtdbServer(): Promise<XtdbServer> {
  const { openXtdbServer } = await import("./xtdb-server.ts");
  return openXtdbServer();
}

import { basename } from "node:path";
import { createMemoryStore, type ObjectStore } from "@cm/object-model";
import { openSqliteStore } from "@cm/store-sqlite";
import type { OutputFolder } from "./output-folder.ts";

export type StoreKind = "sqlite" | "memory";

/** A database to replay into, and its file's name in the output folder. */
export interface Database {
  readonly store: ObjectStore;
  readonly file: string | undefined;
  /** Ends the run's use of it. */
  release(): Promise<void>;
}

/** Gives each run its database: one of its own (SSOT 6.3), or one for the whole command. */
export class Databases {
  readonly #kind: StoreKind;
  readonly #output: OutputFolder;
  readonly #shared: Database | undefined;
  readonly #names = new Set<string>();

  constructor(kind: StoreKind, output: OutputFolder, shared: boolean) {
    this.#kind = kind;
    this.#output = output;
    this.#shared = shared ? this.#open("shared") : undefined;
  }

  forRun(file: string, policy: string): Database {
    if (this.#shared === undefined)
      return this.#open(this.#free(`${basename(file).replace(/\.[^.]+$/, "")}-${policy}`));
    return { ...this.#shared, release: async () => {} };
  }

  async close(): Promise<void> {
    await this.#shared?.release();
  }

  /** Recordings of different folders can have the same name. */
  #free(wanted: string): string {
    const safe = wanted.replace(/[^A-Za-z0-9._-]/g, "_");
    let name = safe;
    for (let count = 2; this.#names.has(name); count += 1) name = `${safe}-${count}`;
    this.#names.add(name);
    return name;
  }

  #open(name: string): Database {
    if (this.#kind === "memory") return { store: createMemoryStore(), file: undefined, release: async () => {} };
    const file = `${name}.sqlite`;
    // A replay can be repeated and appears only when it is whole: it need not wait for the disk at every step.
    const store = openSqliteStore({ path: this.#output.building(file), synchronous: "normal" });
    return { store, file, release: () => store.close() };
  }
}

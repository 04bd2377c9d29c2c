import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CmError } from "@cm/object-model";

/**
 * Results are built in a folder of their own and moved when all are whole: a replay that fails or is interrupted
 * leaves nothing half-written, and what an earlier one left stays as it was.
 */
export class OutputFolder {
  readonly path: string;
  readonly #partial: string;
  /** The topmost folder that had to be made; undefined where all of them were there. */
  readonly #made: string | undefined;

  /** @throws CmError `replay/output` */
  constructor(path: string) {
    this.path = path;
    this.#partial = join(path, `.partial-${process.pid}`);
    try {
      this.#made = mkdirSync(this.#partial, { recursive: true });
    } catch (error) {
      throw new CmError(
        "replay/output",
        `The folder ${path} cannot be written to; name another one with --out.`,
        {},
        { cause: error },
      );
    }
  }

  /** The folder in which a result is built. */
  building(name: string): string {
    return join(this.#partial, name);
  }

  /** Writes a result that only its owner may read: it holds what sessions held. */
  write(name: string, text: string): void {
    writeFileSync(this.building(name), text, { mode: 0o600, flag: "wx" });
  }

  /** Moves everything that was built to its place. */
  keep(): void {
    for (const name of readdirSync(this.#partial)) {
      // A database's companions would be taken for those of the new one.
      for (const companion of ["-wal", "-shm"]) rmSync(join(this.path, name + companion), { force: true });
      renameSync(join(this.#partial, name), join(this.path, name));
    }
    rmSync(this.#partial, { recursive: true, force: true });
  }

  /** Leaves everything as it was before. */
  discard(): void {
    rmSync(this.#made ?? this.#partial, { recursive: true, force: true });
  }
}

import { type Stats, statSync } from "node:fs";
import { storeError } from "./errors.ts";

/** The file under an open connection. Data written to a deleted or moved file is lost to all later readers. */
export class OpenedFile {
  readonly #path: string;
  readonly #opened: Stats | undefined;

  constructor(path: string) {
    this.#path = path;
    this.#opened = statOf(path);
  }

  /** @throws CmError `store/unavailable` where another file, or none, has its name now; nothing is written then */
  checkIsThere(): void {
    if (this.#opened === undefined) return;
    const now = statOf(this.#path);
    if (now?.ino === this.#opened.ino && now.dev === this.#opened.dev) return;
    const what = now === undefined ? "was moved or deleted" : "was replaced by another file";
    throw storeError("store/unavailable", `The database ${what} while it was open; close the store and open it again.`);
  }
}

const statOf = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false });

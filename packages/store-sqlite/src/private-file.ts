import { closeSync, openSync } from "node:fs";

/**
 * Makes an empty file that only its owner may read, where there is none. SQLite takes it for a new database, and makes the
 * files beside it with the same modes.
 */
export function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, "ax", 0o600));
  } catch {
    // It is there already, or SQLite says why it cannot be made.
  }
}

import { DatabaseSync } from "node:sqlite";

export interface Holder {
  letGo(): void;
}

/** Holds a database as another process can: no other process writes until it lets go. */
export function hold(path: string): Holder {
  const database = new DatabaseSync(path);
  database.exec("BEGIN EXCLUSIVE");
  return { letGo: () => database.close() };
}

/** The same, and no other process reads. It has to be the only one that has the file open. */
export function holdWhole(path: string): Holder {
  const database = new DatabaseSync(path);
  database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE held(it)");
  return { letGo: () => database.close() };
}

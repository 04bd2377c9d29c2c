import { DatabaseSync } from "node:sqlite";

/** Holds a database as another process can: nobody else writes until it lets go. */
export function hold(path: string): { letGo(): void } {
  const database = new DatabaseSync(path);
  database.exec("BEGIN EXCLUSIVE");
  return { letGo: () => database.close() };
}

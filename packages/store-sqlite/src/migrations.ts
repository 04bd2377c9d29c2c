import type { Connection } from "./connection.ts";
import { storeError } from "./errors.ts";
import { schemaVersion1, schemaVersion2, schemaVersion3 } from "./schema.ts";

/** "CMS1": marks a file as one of ours. */
export const applicationId = 0x434d5331;

/** Takes a file from one schema version to the next, inside the transaction that raises the version. */
export type Migration = (connection: Connection) => void;

/** From version 0, the empty file, on. Entries are never changed or removed once released; new ones go to the end. */
export const migrations: readonly Migration[] = [
  (connection) => connection.exec(schemaVersion1),
  (connection) => connection.exec(schemaVersion2),
  (connection) => connection.exec(schemaVersion3),
];

/**
 * Brings the file to the newest version, all of it or nothing.
 * @throws CmError `store/unavailable` for a file of a newer version, or of another program
 */
export function migrate(connection: Connection, steps: readonly Migration[] = migrations): void {
  if (versionOf(connection, steps.length) === steps.length) return;
  connection.write(() => {
    // Another process may have been faster.
    const version = versionOf(connection, steps.length);
    for (const step of steps.slice(version)) step(connection);
    connection.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${steps.length}`);
  });
}

/**
 * One statement sees the file at one moment: between two, another process may make the file and its tables.
 * @throws CmError `store/unavailable`
 */
export function versionOf(connection: Connection, newest: number = migrations.length): number {
  const { application, version, tables } = connection.get<{ application: number; version: number; tables: number }>(
    `SELECT application_id AS application, user_version AS version,
            (SELECT count(*) FROM sqlite_schema) AS tables
     FROM pragma_application_id, pragma_user_version`,
  ) as { application: number; version: number; tables: number };
  if (application !== applicationId) {
    if (version === 0 && tables === 0) return 0;
    throw storeError("store/unavailable", "The file is a database of another program; name another path.");
  }
  if (version <= newest) return version;
  throw storeError(
    "store/unavailable",
    `The file has schema version ${version}, this package knows up to ${newest}; update the package.`,
    { file: version, known: newest },
  );
}

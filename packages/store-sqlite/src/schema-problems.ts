import type { Connection } from "./connection.ts";
import { storeLimits } from "./limits.ts";
import { migrate } from "./migrations.ts";
import { openConnection } from "./open-connection.ts";

/** SQLite words the tables of a virtual table itself, each of its versions in its own way. */
const definitions = `SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'text\\_index\\_%' ESCAPE '\\'`;

type Definition = { type: string; name: string; sql: string };

/**
 * Tables, indexes and triggers that are missing or are others than those of a new file, and triggers that a new one does not have, which
 * may refuse or change what is written. SQLite keeps each as its text, which no
 * check of its own covers: a reader takes a renamed column as it is, a writer refuses the file, and a trigger that is gone keeps nothing.
 */
export function schemaProblems(connection: Connection): readonly string[] {
  const found = new Map(connection.all<Definition>(definitions).map((definition) => [definition.name, definition]));
  const ours = expected();
  const differing = ours.flatMap(({ type, name, sql }) => {
    if (!found.has(name)) return [`The ${type} ${name} is not there.`];
    return found.get(name)?.sql === sql
      ? []
      : [`The definition of the ${type} ${name} is not the one that was written.`];
  });
  for (const { name } of ours) found.delete(name);
  const foreign = [...found.values()].filter(({ type }) => type === "trigger");
  return [
    ...differing,
    ...foreign.map(({ name }) => `The trigger ${name} is another program's: it acts on what is written.`),
  ];
}

function expected(): readonly Definition[] {
  const fresh = openConnection(":memory:", {
    timeoutMs: storeLimits.busyTimeoutMs,
    checkpointPages: storeLimits.checkpointPages,
  });
  try {
    migrate(fresh);
    return fresh.all<Definition>(definitions);
  } finally {
    fresh.close();
  }
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { lockKey } from "../../src/schema/migrations.ts";

/** Makes a store as schema version 1 had it: its own script, tables and functions, word for word. */
export async function makeVersion1(url: string, schema: string): Promise<void> {
  const script = readFileSync(join(import.meta.dirname, "schema-1.sql"), "utf8")
    .replaceAll("NAMESPACE", schema)
    .replaceAll("COMMIT_LOCK", String(lockKey(schema, "commit")));
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(`BEGIN; CREATE SCHEMA ${schema}; SET LOCAL search_path = ${schema}, pg_temp; ${script}
      REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ${schema} FROM PUBLIC;
      COMMENT ON SCHEMA ${schema} IS 'Context Manager store, version 1'; COMMIT`);
  } finally {
    await client.end();
  }
}

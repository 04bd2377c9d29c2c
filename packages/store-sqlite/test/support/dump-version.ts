// Prints a file of the newest schema version as SQL: node test/support/dump-version.ts > test/fixtures/version-N.sql
// Run once for each version, before it is released. A fixture that was released never changes.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Connection } from "../../src/connection.ts";
import { openSqliteStore } from "../../src/index.ts";
import { indexMore } from "../../src/text-index.ts";
import { testTypes } from "./documents.ts";
import { writeReferenceHistory } from "./reference-history.ts";

const folder = mkdtempSync(join(tmpdir(), "cm-dump-"));
const path = join(folder, "store.db");
let time = 0;
const store = openSqliteStore({ path, types: testTypes, now: () => time });
await writeReferenceHistory(store, (ms) => {
  time = ms;
});
await store.close();
const writable = new Connection(new DatabaseSync(path));
indexMore(writable);
writable.close();
const database = new DatabaseSync(path, { readOnly: true });
console.log(dumpOf(database));
database.close();
rmSync(folder, { recursive: true });

function dumpOf(from: DatabaseSync): string {
  const schema = from.prepare("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL").all();
  const virtual = schema.filter(({ sql }) => `${sql}`.startsWith("CREATE VIRTUAL")).map(({ name }) => `${name}`);
  // A virtual table makes its own tables, with rows of a new one in them.
  const isPart = (name: unknown) => virtual.some((table) => `${name}`.startsWith(`${table}_`));
  const tables = schema.filter(({ type }) => type === "table");
  const own = tables.filter(({ name }) => !isPart(name));
  const others = schema.filter(({ type }) => type !== "table");
  return [
    ...["application_id", "user_version"].map(
      (name) => `PRAGMA ${name} = ${from.prepare(`PRAGMA ${name}`).get()?.[name]};`,
    ),
    ...own.map(({ sql }) => `${sql};`),
    ...own.filter(({ name }) => !virtual.includes(`${name}`)).flatMap(({ name }) => rowsOf(from, `${name}`)),
    ...tables
      .filter(({ name }) => isPart(name))
      .flatMap(({ name }) => [`DELETE FROM ${name};`, ...rowsOf(from, `${name}`)]),
    ...others.map(({ sql }) => `${sql};`),
  ].join("\n");
}

function rowsOf(from: DatabaseSync, table: string): string[] {
  const rows = from.prepare(`SELECT * FROM ${table}`).all();
  return rows.map((row) => `INSERT INTO ${table} VALUES (${Object.values(row).map(literal).join(", ")});`);
}

function literal(value: unknown): string {
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString("hex")}'`;
  return typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : `${value}`;
}

// Verifies: SSOT 7.4: the schema has a version, with migrations. A migration is all or nothing.
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { Connection } from "../src/connection.ts";
import { openSqliteStore } from "../src/index.ts";
import { applicationId, type Migration, migrate, migrations, versionOf } from "../src/migrations.ts";
import { toolcall } from "./support/documents.ts";
import { freshPath } from "./support/folder.ts";

const call = toolcall("call", "text");

/** What a later version might do: move a column and fill a table from what is there. */
const toNextVersion: Migration = (connection) => {
  connection.exec("ALTER TABLE version ADD COLUMN note TEXT");
  connection.exec("CREATE TABLE total(versions INTEGER NOT NULL) STRICT");
  connection.exec("INSERT INTO total SELECT count(*) FROM version");
};

const fault: Migration = (connection) => {
  connection.exec("DROP TABLE request; CREATE TABLE half(a)");
  throw new TypeError("the migration is wrong");
};

async function fileOfThisVersion(): Promise<string> {
  const path = freshPath();
  const store = openSqliteStore({ path });
  await store.commit([{ document: call, expect: "absent" }], { requestId: "r1" });
  await store.close();
  return path;
}

it("an older file gets the steps that it misses, and keeps what it holds", async () => {
  const path = await fileOfThisVersion();
  const connection = new Connection(new DatabaseSync(path));

  migrate(connection, [...migrations, toNextVersion]);

  expect(connection.pragma("PRAGMA user_version")).toBe(migrations.length + 1);
  expect(connection.get("SELECT versions FROM total")).toEqual({ versions: 1 });
  expect(connection.get("SELECT note FROM version")).toEqual({ note: null });
  connection.close();
  expect(() => openSqliteStore({ path })).toThrow(`version ${migrations.length + 1}`);
});

it("a step that fails leaves the file as it was", async () => {
  const path = await fileOfThisVersion();
  const before = contentsOf(path);
  const connection = new Connection(new DatabaseSync(path));

  expect(() => migrate(connection, [...migrations, toNextVersion, fault])).toThrow("the migration is wrong");

  connection.close();
  expect(contentsOf(path)).toEqual(before);
  const store = openSqliteStore({ path });
  expect((await store.getMany(["call"])).get("call")?.document).toEqual(call);
  await store.close();
});

it("a file of the newest version is not touched", async () => {
  const path = await fileOfThisVersion();
  const connection = new Connection(new DatabaseSync(path, { readOnly: true }));

  migrate(connection);

  connection.close();
});

it("a step that fails on a new file leaves it empty", () => {
  const path = freshPath();
  const connection = new Connection(new DatabaseSync(path));

  expect(() => migrate(connection, [...migrations, fault])).toThrow("the migration is wrong");

  connection.close();
  expect(contentsOf(path)).toEqual({ application: 0, version: 0, schema: [], rows: [] });
});

it.each([1, 2, 3])("a file that another process makes before the look's statement %i is no foreign one", (nth) => {
  const path = freshPath();
  const connection = new Connection(new DatabaseSync(path));
  let statements = 0;
  const beforeEach = () => {
    statements++;
    if (statements === nth) openSqliteStore({ path }).close?.();
  };
  const observed = new Proxy(connection, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        beforeEach();
        return value.apply(target, args);
      };
    },
  });

  expect([0, migrations.length]).toContain(versionOf(observed));

  connection.close();
});

/** All that a file holds, table by table. */
function contentsOf(path: string) {
  const database = new DatabaseSync(path, { readOnly: true });
  const schema = database.prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY name").all();
  const tables = schema.filter(({ type }) => type === "table").map(({ name }) => name);
  const rows = tables.map((name) => database.prepare(`SELECT * FROM "${name}"`).all());
  const application = database.prepare("PRAGMA application_id").get()?.application_id;
  const version = database.prepare("PRAGMA user_version").get()?.user_version;
  database.close();
  return { application, version, schema, rows };
}

it("a new file is marked as ours", () => {
  const path = freshPath();

  void openSqliteStore({ path }).close();

  expect(contentsOf(path)).toMatchObject({ application: applicationId, version: migrations.length });
});

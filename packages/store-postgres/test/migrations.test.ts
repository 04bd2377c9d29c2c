// @module-tag process
// @module-tag long
// Verifies: SSOT 7.4: a migration is all or nothing, several clients may meet at one, and versions that do not fit are told.
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { addressOf } from "../src/connection-options.ts";
import { openPostgresStore } from "../src/index.ts";
import { migrate } from "../src/migrate.ts";
import { databaseAt } from "../src/open-store.ts";
import { migrations } from "../src/schema/migrations.ts";
import { toolcall } from "./support/documents.ts";
import { freshSchema, withPostgres } from "./support/on-postgres.ts";

withPostgres("the schema of a store", (postgres) => {
  async function client(): Promise<pg.Client> {
    const connected = new pg.Client(postgres.url);
    await connected.connect();
    onTestFinished(() => connected.end());
    return connected;
  }
  const database = (schema: string) => {
    const opened = databaseAt(addressOf(postgres.url, schema), {});
    onTestFinished(() => opened.close());
    return opened;
  };
  const open = async (schema: string) => {
    const store = await openPostgresStore({ url: postgres.url, schema });
    onTestFinished(() => store.close());
    return store;
  };

  it("is made once by twelve clients that meet", async () => {
    const schema = freshSchema();

    const stores = await Promise.all(Array.from({ length: 12 }, () => open(schema)));

    const writes = [{ document: toolcall("call_1", "text"), expect: "any" as const }];
    const receipts = await Promise.all(stores.map((store) => store.commit(writes)));
    expect(new Set(receipts.map(({ basis }) => basis)).size).toBe(12);
  });

  it("is raised all or nothing, and what was written before is there", async () => {
    const schema = freshSchema();
    const before = await open(schema);
    await before.commit([{ document: toolcall("call_1", "text"), expect: "any" }]);
    const failing = [...migrations, () => "CREATE TABLE later(n int); SELECT 1 / 0"];
    const fine = [...migrations, () => "CREATE TABLE later(n int)"];
    const tables = async () =>
      (await (await client()).query("SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename = 'later'", [schema]))
        .rowCount;

    await expect(migrate(database(schema), schema, { steps: failing })).rejects.toMatchObject({
      code: "store/unavailable",
    });
    expect(await tables()).toBe(0);
    await Promise.all([1, 2, 3].map(() => migrate(database(schema), schema, { steps: fine })));

    expect(await tables()).toBe(1);
    // A client of the older version that is open goes on; one that opens is told.
    expect((await before.getMany(["call_1"])).size).toBe(1);
    await expect(open(schema)).rejects.toMatchObject({
      code: "store/unavailable",
      message: `The store has schema version ${fine.length}, this package knows up to ${migrations.length}; update the package.`,
    });
  });

  it("of another program is left alone", async () => {
    const schema = freshSchema();
    await (await client()).query(`CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.mine(n int)`);

    await expect(open(schema)).rejects.toMatchObject({ message: expect.stringContaining("another program") });
  });

  it("must be there where it may not be made", async () => {
    const opened = openPostgresStore({ url: postgres.url, schema: freshSchema(), migrate: false });

    await expect(opened).rejects.toMatchObject({ message: expect.stringContaining("is not there") });
  });
});

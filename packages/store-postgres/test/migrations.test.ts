// @module-tag process
// @module-tag long
// Verifies: SSOT 7.4: a migration is all or nothing, several clients may meet at one, and versions that do not fit are told.
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { addressOf } from "../src/connection-options.ts";
import { openPostgresStore } from "../src/index.ts";
import { migrate } from "../src/migrate.ts";
import { databaseAt } from "../src/open-store.ts";
import { type Migration, migrations, newestVersion } from "../src/schema/migrations.ts";
import { toolcall } from "./support/documents.ts";
import { makeVersion1 } from "./support/older-store.ts";
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
    const failing: Migration[] = [...migrations, () => "CREATE TABLE later(n int); SELECT 1 / 0"];
    const fine: Migration[] = [...migrations, () => "CREATE TABLE later(n int)"];
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
      message: `The store has schema version ${newestVersion(fine)}, this package knows up to ${newestVersion()}; update the package.`,
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

  it("of version 1 is raised by several clients that meet, while one that is open writes on", async () => {
    const schema = freshSchema();
    await makeVersion1(postgres.url, schema);
    const older = await openPostgresStore({ url: postgres.url, schema, migrate: false });
    onTestFinished(() => older.close());
    const write = (n: number) => ({ document: toolcall("head", `text ${n}`), expect: "any" as const });
    const dated = { validTime: new Date(Date.now() - 60_000) };
    await older.commit([write(0)], dated);
    for (const n of [1, 2, 3]) await older.commit([write(n)], { requestId: `r${n}` });
    const before = await older.history("head", { documents: true });

    const writing = (async () => {
      for (let n = 4; n < 40; n += 1) await older.commit([write(n)], { requestId: `r${n}` });
    })();
    const stores = await Promise.all([1, 2, 3, 4].map(() => open(schema)));
    await writing;

    const [store] = stores;
    const { versions } = (await store?.history("head", { documents: true })) ?? { versions: [] };
    expect(versions.slice(-before.versions.length)).toEqual(before.versions);
    expect(versions.map(({ document }) => document?.content)).toEqual(
      Array.from({ length: 40 }, (_, n) => `text ${39 - n}`),
    );
    const again = await store?.commit([write(2)], { requestId: "r2" });
    expect(again?.results).toEqual([{ id: "head", outcome: "written", token: expect.stringMatching(/\.3$/) }]);
    const [, second] = before.versions;
    expect((await store?.getMany(["head"], second?.basis))?.get("head")?.document?.content).toBe("text 2");
    expect(await store?.check?.()).toMatchObject({ problems: [] });
    const { rows } = await (await client()).query(
      "SELECT obj_description(oid) AS words FROM pg_namespace WHERE nspname = $1",
      [schema],
    );
    expect(rows[0].words).toBe(`Context Manager store, version ${newestVersion()}`);
  });

  it("of version 1 serves a role that may not raise it", async () => {
    const schema = freshSchema();
    await makeVersion1(postgres.url, schema);
    const owner = await client();
    await owner.query(`CREATE ROLE r_${schema} LOGIN; GRANT USAGE ON SCHEMA ${schema} TO r_${schema};
      GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${schema} TO r_${schema}`);
    const url = postgres.url.replace("cm@", `r_${schema}@`);

    const store = await openPostgresStore({ url, schema });
    onTestFinished(() => store.close());

    await store.commit([{ document: toolcall("call_1", "text"), expect: "absent" }]);
    expect((await store.find({ type: "toolcall" })).versions).toHaveLength(1);
    await (await open(schema)).commit([{ document: toolcall("call_2", "text"), expect: "absent" }]);
    expect((await store.find({ type: "toolcall" })).versions).toHaveLength(2);
  });
});

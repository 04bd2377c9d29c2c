// @module-tag process
// @module-tag long
// Verifies: SSOT 2.8: `check` names what no reading sees, and an erasure leaves nothing in the tables but ids and stamps.
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { file, toolcall } from "./support/documents.ts";
import { freshSchema, withPostgres } from "./support/on-postgres.ts";

const secret = "hunter2-of-mine";

withPostgres("the tables of a store", (postgres) => {
  async function filled() {
    const schema = freshSchema();
    const store = await postgres.open({ schema });
    const owner = new pg.Client(postgres.url);
    await owner.connect();
    await owner.query(`SET search_path = ${schema}`);
    onTestFinished(async () => {
      await Promise.all([store.close(), owner.end()]);
    });
    await store.commit([
      {
        document: toolcall("call_1", secret, { args: { command: secret }, chat_ref: `chat:${secret}` }),
        expect: "any",
      },
      { document: file(`/home/${secret}`, "text"), expect: "any" },
    ]);
    await store.commit([{ document: toolcall("call_2", "other"), expect: "any" }], { requestId: "r" });
    return { store, owner, schema };
  }

  it("are sound as they are written, and tell when the newest transaction was", async () => {
    const { store } = await filled();
    const { versions } = await store.history("call_2");

    expect(await store.check?.()).toEqual({
      problems: [],
      newestTransactionTime: versions[0]?.transactionTime,
    });
  });

  it.each([
    ["DELETE FROM object WHERE id = 'call_1'", "1 versions belong to no object."],
    ["DELETE FROM blob WHERE bid = (SELECT max(bid) FROM blob)", "1 versions have lost their text."],
    ["DELETE FROM version WHERE oid = 1", "1 objects have no version."],
    ["DELETE FROM version WHERE oid = 1", "1 texts belong to no version."],
    ["DELETE FROM tx WHERE tx_id = 1", "1 transactions are missing."],
    ["UPDATE tx SET ms = 0 WHERE tx_id = 2", "1 transactions are earlier than the one before."],
    ["UPDATE version SET n = 7 WHERE oid = 1", "1 objects miss a version between their first and their newest."],
    ["UPDATE object SET session_id = NULL", "2 versions have lost their session."],
    ["DELETE FROM place", "1 objects have lost their place."],
  ])("are named where they are not: %s", async (damage, problem) => {
    const { store, owner } = await filled();
    await owner.query("SET session_replication_role = replica");
    await owner.query(damage);

    expect((await store.check?.())?.problems).toContain(problem);
  });

  it("have nothing of what was erased but ids and stamps", async () => {
    const { store, owner, schema } = await filled();
    const id = file(`/home/${secret}`, "text")["xt/id"];

    await store.erase(["call_1", id], "asked for");

    const { rows } = await owner.query("SELECT tablename FROM pg_tables WHERE schemaname = $1", [schema]);
    for (const { tablename } of rows) {
      const found = await owner.query(`SELECT 1 FROM ${tablename} t WHERE t::text LIKE $1`, [`%${secret}%`]);
      expect(found.rowCount, tablename).toBe(0);
      const hex = Buffer.from(secret).toString("hex");
      expect((await owner.query(`SELECT 1 FROM ${tablename} t WHERE t::text LIKE $1`, [`%${hex}%`])).rowCount).toBe(0);
    }
    const count = async (table: string) => Number((await owner.query(`SELECT count(*) AS n FROM ${table}`)).rows[0].n);
    expect([await count("blob"), await count("place"), await count("session")]).toEqual([1, 0, 1]);
    expect(await store.check?.()).toMatchObject({ problems: [] });
  });
});

// @module-tag process
// @module-tag long
// Verifies: SSOT 2.8, 7.4: a client's role changes nothing but by the store's functions, and what was committed stays also against SQL by
// mistake.
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { migratePostgresStore, openPostgresStore, type Permission } from "../src/index.ts";
import { toolcall } from "./support/documents.ts";
import { freshSchema, withPostgres } from "./support/on-postgres.ts";

const writes = [{ document: toolcall("call_1", "text"), expect: "any" as const }];

withPostgres("roles", (postgres) => {
  async function as(may: Permission) {
    const schema = freshSchema();
    const role = `${may} "of ${schema}`;
    const owner = new pg.Client(postgres.url);
    await owner.connect();
    await owner.query(`CREATE ROLE "${role.replaceAll('"', '""')}" LOGIN`);
    await migratePostgresStore({ url: postgres.url, schema, grants: [{ role, may }] });
    const url = postgres.url.replace("cm@", `${encodeURIComponent(role)}@`);
    const store = await openPostgresStore({ url, schema });
    const client = new pg.Client(url);
    await client.connect();
    onTestFinished(async () => {
      await Promise.all([store.close(), client.end(), owner.end()]);
    });
    return { store, client, owner, schema };
  }

  it.each([
    ["read", false, false],
    ["write", true, false],
    ["erase", true, true],
  ] as const)("that may %s can do that", async (may, commits, erases) => {
    const { store } = await as(may);
    const done = (call: Promise<unknown>) =>
      call.then(
        () => true,
        (error) => error.code !== "store/unavailable" || error.data.postgres !== "42501",
      );

    expect(await done(store.commit(writes))).toBe(commits);
    expect(await done(store.getMany(["call_1"]))).toBe(true);
    expect(await done(store.find({ type: "toolcall" }))).toBe(true);
    expect(await done(store.find({ type: "toolcall" }, { order: "newest" }))).toBe(true);
    expect(await done(store.erase(["call_1"], "asked for"))).toBe(erases);
  });

  it("touch no table", async () => {
    const { store, client, schema } = await as("erase");
    await store.commit(writes);

    for (const sql of [
      "SELECT * FROM version",
      "DELETE FROM version",
      "INSERT INTO tx VALUES (99, 99)",
      "TRUNCATE tx",
    ]) {
      const at = sql.replace(/version|tx/, (table) => `${schema}.${table}`);
      await expect(client.query(at)).rejects.toMatchObject({ code: "42501" });
    }
  });

  it("that own the tables change nothing by mistake", async () => {
    const { store, owner, schema } = await as("write");
    await store.commit(writes);

    for (const change of [
      "UPDATE version SET payload = NULL",
      "DELETE FROM version",
      "DELETE FROM blob",
      "UPDATE tx SET ms = 0",
      "TRUNCATE tx",
      "UPDATE object SET id = 'other'",
      "DELETE FROM object",
    ]) {
      const at = change.replace(/(UPDATE|FROM|TRUNCATE) /, `$1 ${schema}.`);
      await expect(owner.query(at)).rejects.toThrow("append-only");
    }
    await owner.query("SET default_transaction_isolation = 'serializable'");
    expect((await store.history("call_1")).versions).toHaveLength(1);
  });

  it("without a store make one or are told that they may not", async () => {
    const { client, owner, schema } = await as("read");
    await owner.query("REVOKE CREATE ON DATABASE postgres FROM PUBLIC");
    const url = postgres.url.replace("cm@", `${encodeURIComponent(client.user ?? "")}@`);

    await expect(openPostgresStore({ url, schema: `${schema}_other` })).rejects.toMatchObject({
      code: "store/unavailable",
      data: { postgres: "42501" },
    });
  });
});

// @module-tag process
// @module-tag long
// Verifies: SSOT 2.8: a hint that another client changed a store, by notification or by asking, and no notification where none waits.
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { openPostgresStore } from "../src/index.ts";
import { lockKey, notifyChannel } from "../src/schema/migrations.ts";
import { toolcall } from "./support/documents.ts";
import { makeVersion1 } from "./support/older-store.ts";
import { freshSchema, withPostgres } from "./support/on-postgres.ts";

const writes = (text: string) => [{ document: toolcall("call_1", text), expect: "any" as const }];

/** Asks the server until it is so. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo()));
}

withPostgres("a hint that a store has changed", (postgres) => {
  async function open(schema: string, migrate = true) {
    const store = await openPostgresStore({ url: postgres.url, schema, migrate });
    onTestFinished(() => store.close());
    return store;
  }
  /** A client that listens without a lock, so that no commit knows of it, and what it was told. */
  async function witness(schema: string) {
    const client = new pg.Client(postgres.url);
    await client.connect();
    onTestFinished(() => client.end());
    await client.query(`LISTEN ${notifyChannel(schema)}`);
    let told = 0;
    client.on("notification", () => {
      told += 1;
    });
    return {
      client,
      /** What was told up to now: an answer brings all that was said before it. */
      async told() {
        await client.query("SELECT 1");
        return told;
      },
      /** Server processes that hold the lock of those who listen. */
      async listeners(): Promise<readonly number[]> {
        const { rows } = await client.query(
          `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock'
             AND (classid::bigint << 32 | objid::bigint) = $1`,
          [String(lockKey(schema, "listen"))],
        );
        return rows.map(({ pid }) => pid);
      },
    };
  }

  it("comes from another client's commit, which notifies only while one waits", async () => {
    const schema = freshSchema();
    const [waiter, writer] = [await open(schema), await open(schema)];
    const { told, listeners } = await witness(schema);
    const { basis } = await writer.commit(writes("a"));
    expect(await told()).toBe(0);

    const hint = waiter.changed(basis);
    await until(async () => (await listeners()).length === 1);
    await writer.commit(writes("b"));

    await hint;
    expect(await told()).toBe(1);
    await waiter.close();
    await until(async () => (await listeners()).length === 0);
    await writer.commit(writes("c"));
    expect(await told()).toBe(1);
  });

  it("comes once for many who wait, over one connection", async () => {
    const schema = freshSchema();
    const [waiter, writer] = [await open(schema), await open(schema)];
    const { told, listeners } = await witness(schema);
    const { basis } = await writer.commit(writes("a"));

    const hints = Array.from({ length: 40 }, () => waiter.changed(basis));
    await until(async () => (await listeners()).length > 0);
    expect(await listeners()).toHaveLength(1);
    await writer.commit(writes("b"));

    await Promise.all(hints);
    expect(await told()).toBe(1);
  });

  it("comes after the connection that listens was cut", async () => {
    const schema = freshSchema();
    const [waiter, writer] = [await open(schema), await open(schema)];
    const { client, listeners } = await witness(schema);
    const { basis } = await writer.commit(writes("a"));
    const hint = waiter.changed(basis);
    await until(async () => (await listeners()).length === 1);
    const [before] = await listeners();

    await client.query("SELECT pg_terminate_backend($1)", [before]);
    await until(async () => (await listeners()).some((pid) => pid !== before));
    await writer.commit(writes("b"));

    await hint;
  });

  it("comes by asking in a store of an older schema version, whose commits tell nothing", async () => {
    const schema = freshSchema();
    await makeVersion1(postgres.url, schema);
    const [waiter, writer] = [await open(schema, false), await open(schema, false)];
    const { told, listeners } = await witness(schema);
    const { basis } = await writer.commit(writes("a"));
    const hint = waiter.changed(basis);

    await writer.commit(writes("b"));

    await hint;
    expect([await told(), await listeners()]).toEqual([0, []]);
  });
});

// @module-tag process
// @module-tag long
// Verifies: SSOT 2.8, 7.4: a lost answer is settled by the request id or told, a server that restarts is waited for, and a call
// ends at its deadline.
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { lockKey } from "../src/schema/migrations.ts";
import { openCuttingProxy } from "./support/cutting-proxy.ts";
import { toolcall } from "./support/documents.ts";
import { freshSchema, type Stores, withOwnPostgres, withPostgres } from "./support/on-postgres.ts";

/** Short, since some calls here end only so; long enough for a busy machine to get a call to the server. */
const deadlineMs = 2_000;

const write = (id: string, text: string) => [{ document: toolcall(id, text), expect: "any" as const }];

withPostgres("a store whose network fails", (postgres) => {
  async function throughProxy(word: string, options: Parameters<Stores["open"]>[0] = {}) {
    const schema = freshSchema();
    const beside = await postgres.open({ schema });
    const proxy = await openCuttingProxy(postgres.url, word);
    const store = await postgres.open({ url: proxy.url, schema, ...options });
    onTestFinished(async () => {
      await Promise.all([beside.close(), store.close()]);
      await proxy.close();
    });
    return { store, beside, proxy };
  }

  it.each(["before", "after"] as const)("settles a commit with a request id, cut %s it was done", async (cut) => {
    const { store, beside, proxy } = await throughProxy("commit_1");
    proxy.cut(cut, cut);

    const receipt = await store.commit(write("call_1", "text"), { requestId: "r1" });

    expect(proxy.seen).toBe(3);
    expect(receipt.results[0]?.outcome).toBe("written");
    expect((await beside.history("call_1")).versions).toHaveLength(1);
    expect((await beside.getMany(["call_1"], receipt.basis)).size).toBe(1);
  });

  it.each([
    ["before", 0],
    ["after", 1],
  ] as const)("tells that it does not know of one without, cut %s it was done", async (cut, versions) => {
    const { store, beside, proxy } = await throughProxy("commit_1");
    proxy.cut(cut);

    await expect(store.commit(write("call_1", "text"))).rejects.toMatchObject({ code: "store/unknown-outcome" });

    expect((await beside.history("call_1")).versions).toHaveLength(versions);
  });

  it("tells that it does not know after the deadline, and the request id settles it then", async () => {
    const { store, beside, proxy } = await throughProxy("commit_1", { deadlineMs });
    proxy.cut("silent");

    const first = store.commit(write("call_1", "text"), { requestId: "r1" });

    await expect(first).rejects.toMatchObject({ code: "store/unknown-outcome" });
    const receipt = await beside.commit(write("call_1", "text"), { requestId: "r1" });
    expect((await beside.history("call_1")).versions).toMatchObject([{ basis: receipt.basis }]);
  });

  it("reads again, and erases again", async () => {
    const reading = await throughProxy("get_many_1");
    await reading.beside.commit(write("call_1", "text"));
    reading.proxy.cut("before", "after");
    expect((await reading.store.getMany(["call_1"])).size).toBe(1);

    const erasing = await throughProxy("COMMIT");
    await erasing.beside.commit(write("call_1", "text"));
    erasing.proxy.cut("after", "before");
    expect((await erasing.store.erase(["call_1"], "asked for")).erased).toEqual(["call_1"]);
    expect((await erasing.beside.getMany(["call_1"])).get("call_1")?.document).toBeUndefined();
  });
});

withPostgres("a store that others keep waiting", (postgres) => {
  async function held(statement: (schema: string) => string) {
    const schema = freshSchema();
    const beside = await postgres.open({ schema });
    const store = await postgres.open({ schema, deadlineMs });
    const holder = new pg.Client(postgres.url);
    await holder.connect();
    onTestFinished(async () => {
      await Promise.all([beside.close(), store.close()]);
      await holder.end();
    });
    await holder.query("BEGIN");
    await holder.query(statement(schema));
    return { store, beside, holder };
  }

  it("gives up a commit whose turn does not come, and nothing was written", async () => {
    const { store, beside, holder } = await held(
      (schema) => `SELECT pg_advisory_xact_lock(${lockKey(schema, "commit")})`,
    );

    const refused = expect(store.commit(write("call_1", "text"))).rejects;
    await refused.toMatchObject({ code: "store/unavailable", message: expect.stringContaining("Other writers") });

    await holder.query("ROLLBACK");
    expect((await beside.history("call_1")).versions).toEqual([]);
    expect((await beside.commit(write("call_1", "text"))).results).toMatchObject([{ outcome: "written" }]);
  });

  it("cancels a read at its deadline on the server, too", async () => {
    const { store, holder } = await held((schema) => `LOCK TABLE ${schema}.object`);

    const refused = expect(store.getMany(["call_1"])).rejects;
    await refused.toMatchObject({ code: "store/unavailable", message: expect.stringContaining("deadlineMs") });

    const active =
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE '%get_many_1%' AND query NOT LIKE '%stat_act%'";
    // The server says that it is idle a moment after it answered. Without the cancel it would wait for the lock for ever.
    const countActive = async () => {
      // A transaction sees the activity of its first look until it asks for another.
      await holder.query("SELECT pg_stat_clear_snapshot()");
      return (await holder.query(active)).rowCount;
    };
    await expect.poll(countActive).toBe(0);
  });
});

withOwnPostgres("a store whose server ends", (postgres, own) => {
  it.each(["kill", "halt"] as const)("waits for it to come back after a %s, and loses nothing", async (how) => {
    const store = await postgres.open();
    onTestFinished(() => store.close());
    const before = await store.commit(write("call_1", "text"), { requestId: "r1" });
    await own.server[how]();

    const calls = [
      store.commit(write("call_2", "text"), { requestId: "r2" }),
      store.getMany(["call_1"], before.basis),
      store.history("call_1"),
    ] as const;
    await own.server.start();

    expect((await calls[0]).results).toMatchObject([{ outcome: "written" }]);
    expect((await calls[1]).size).toBe(1);
    expect((await calls[2]).versions).toHaveLength(1);
  });

  it("gives up at the deadline, and says that nothing was written", async () => {
    const schema = freshSchema();
    const beside = await postgres.open({ schema });
    const store = await postgres.open({ schema, deadlineMs });
    onTestFinished(async () => {
      await Promise.all([beside.close(), store.close()]);
    });
    await own.server.halt();

    await expect(store.commit(write("call_1", "text"), { requestId: "r1" })).rejects.toMatchObject({
      code: "store/unavailable",
    });

    await own.server.start();
    expect((await beside.history("call_1")).versions).toEqual([]);
  });
});

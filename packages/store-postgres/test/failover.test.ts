// @module-tag process
// @module-tag long
// Verifies: F1, F2, SSOT 2.8, 7.4: a server that is killed and whose synchronous standby takes over, behind one address, loses nothing
// that was acknowledged and doubles nothing.

import type { CmError } from "@cm/object-model";
import { findPostgres, type StandbyOptions, startPrivatePostgres } from "@cm/private-postgres";
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { inCampaign } from "../../../tools/in-campaign.ts";
import { requirement } from "../../../tools/requirement.ts";
import { openPostgresStore, type PostgresStoreOptions } from "../src/index.ts";
import { lockKey } from "../src/schema/migrations.ts";
import { openCuttingProxy } from "./support/cutting-proxy.ts";
import { toolcall } from "./support/documents.ts";
import { makeVersion1 } from "./support/older-store.ts";
import { campaign } from "./support/random.ts";

/** Half of the writers wait for the standby within one call, half repeat calls that ended at a short deadline. */
const writers = campaign ? 32 : 8;
const steps = campaign ? 200 : 40;
/** Short, since some calls end only so; long enough for a busy machine to get a call to the server. */
const shortMs = 6_000;
const schema = "cm";
const withPrograms = requirement("Postgres", () => findPostgres() !== undefined);

async function pairOfServers(options: StandbyOptions = {}) {
  const primary = await startPrivatePostgres();
  onTestFinished(() => primary.stop());
  const standby = await primary.startStandby(options);
  onTestFinished(() => standby.stop());
  const proxy = await openCuttingProxy(primary.url, "commit_1");
  onTestFinished(() => proxy.close());
  const open = async (given: Partial<PostgresStoreOptions> = {}) => {
    const store = await openPostgresStore({ url: proxy.url, schema, connections: 2, ...given });
    onTestFinished(() => store.close());
    return store;
  };
  /** An administrator's statements on one of the servers. */
  const ask = async (url: string, sql: string) => {
    const client = new pg.Client(url);
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  };
  return { primary, standby, proxy, open, ask };
}

const write = (id: string, text: string) => [{ document: toolcall(id, text), expect: "any" as const }];

withPrograms("a standby that takes over", () => {
  it.each(campaign ? [true, false] : [true])(
    "has all that many writers were told of (it answers readers before: %s)",
    async (answers) => {
      const { primary, standby, proxy, open } = await pairOfServers({ answers });
      const stores = await Promise.all(
        Array.from({ length: writers }, (_, writer) => open(writer % 2 === 0 ? {} : { deadlineMs: shortMs })),
      );
      const all = writers * steps;
      const bases = new Map<string, string>();
      // Read-only, or not answering yet.
      const refusal = answers ? "25006" : "57P03";
      const refused = new Set<number>();

      const writing = stores.map(async (store, writer) => {
        for (let step = 0; step < steps; step += 1) {
          const id = `call_${writer}_${step}`;
          const writes = [
            { document: toolcall(id, id), expect: "absent" as const },
            { document: toolcall("head", null, { args: { writer, step } }), expect: "any" as const },
          ];
          for (;;) {
            try {
              bases.set(id, (await store.commit(writes, { requestId: id })).basis);
              break;
            } catch (error) {
              if (writer % 2 === 0) throw error;
              expect(error).toMatchObject({ code: expect.stringMatching(/^store\/(?:unknown-outcome|unavailable)$/) });
              if ((error as CmError).data.postgres === refusal) refused.add(writer);
            }
          }
        }
      });
      const takingOver = (async () => {
        await expect.poll(() => bases.size, { interval: 1 }).toBeGreaterThan(all / 2);
        await primary.kill();
        proxy.moveTo(standby.url);
        await expect.poll(() => refused.size, { interval: 1 }).toBe(writers / 2);
        await standby.promote();
      })();
      await Promise.all([...writing, takingOver]);

      const store = await open();
      const calls = await store.getMany([...bases.keys()]);
      expect(calls.size).toBe(all);
      for (const [id, basis] of bases) expect(calls.get(id)?.basis).toBe(basis);
      expect(new Set(bases.values()).size).toBe(all);
      let heads = 0;
      let cursor: string | undefined;
      do {
        const page = await store.history("head", cursor === undefined ? {} : { cursor });
        heads += page.versions.length;
        cursor = page.next;
      } while (cursor !== undefined);
      expect(heads).toBe(all);
      expect((await store.check?.())?.problems).toEqual([]);
    },
  );

  it("is waited for by calls that it cannot yet answer, being behind", async () => {
    const { primary, standby, proxy, open, ask } = await pairOfServers();
    const store = await open();
    const first = await store.commit(write("call_1", "a"));
    await expect.poll(() => ask(standby.url, "SELECT FROM cm.tx")).toHaveLength(1);
    await ask(standby.url, "SELECT pg_wal_replay_pause()");
    await expect
      .poll(() => ask(standby.url, "SELECT pg_get_wal_replay_pause_state() AS state"))
      .toEqual([{ state: "paused" }]);
    const second = await store.commit(write("call_1", "b"), { requestId: "r2" });
    await primary.kill();
    proxy.moveTo(standby.url);
    const seen = proxy.seen;

    const expecting = [{ document: toolcall("call_1", "c"), expect: second.results[0]?.token ?? "" }];
    // With ids: a connection of before may take a call before it is known to have ended.
    const calls = Promise.all([
      store.getMany(["call_1"], second.basis),
      store.commit(write("call_1", "b"), { requestId: "r2" }),
      store.commit(expecting, { requestId: "r3" }),
    ]);
    await expect.poll(() => proxy.seen, { interval: 1 }).toBeGreaterThan(seen + 2);
    await standby.promote();

    const [read, repeated, third] = await calls;
    expect(read.get("call_1")?.basis).toBe(second.basis);
    expect(repeated).toEqual(second);
    expect(third.results).toMatchObject([{ outcome: "written" }]);
    expect((await store.getMany(["call_1"], first.basis)).get("call_1")?.basis).toBe(first.basis);
  });

  inCampaign("gets no call on a connection that still leads to a machine that is gone", async () => {
    const { primary, standby, proxy, open } = await pairOfServers();
    const store = await open({ connections: 4, deadlineMs: shortMs });
    await Promise.all([1, 2, 3, 4].map((n) => store.commit(write(`call_${n}`, "a"))));

    proxy.moveTo(standby.url, "silent");
    await primary.kill();
    await standby.promote();

    const lost = store.commit(write("call_5", "a"), { requestId: "r5" });
    await expect(lost).rejects.toMatchObject({ code: "store/unknown-outcome" });
    for (const n of [5, 6, 7, 8]) await store.commit(write(`call_${n}`, "a"), { requestId: `r${n}` });
    expect((await store.history("call_5")).versions).toHaveLength(1);
  });

  inCampaign("is listened to for hints after it took over", async () => {
    const { primary, standby, proxy, open, ask } = await pairOfServers();
    const [waiter, writer] = [await open(), await open()];
    const { basis } = await writer.commit(write("call_1", "a"));
    const changed = waiter.changed(basis);

    await primary.kill();
    proxy.moveTo(standby.url);
    await expect(open({ deadlineMs: shortMs }).then((store) => store.commit(write("call_2", "a")))).rejects.toThrow();
    await standby.promote();

    const held = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock' AND granted
      AND (classid::bigint << 32 | objid::bigint) = ${lockKey(schema, "listen")}`;
    await expect.poll(() => ask(standby.url, held)).toHaveLength(1);
    await writer.commit(write("call_2", "a"));
    await changed;
  });
});

/** Tests that wait for deadlines. */
const withCampaign = campaign ? withPrograms : () => {};

withCampaign("a server that waits for its standby", () => {
  it("acknowledges nothing that the standby has not, neither at once nor when asked again", async () => {
    const { primary, standby, proxy, open, ask } = await pairOfServers();
    const store = await open({ deadlineMs: shortMs });
    await ask(standby.url, "ALTER SYSTEM SET primary_conninfo = ''");
    await ask(standby.url, "SELECT pg_reload_conf()");
    await expect.poll(() => ask(primary.url, "SELECT FROM pg_stat_replication")).toEqual([]);

    const commit = () => store.commit(write("call_1", "a"), { requestId: "r1" });
    for (const _ of [1, 2]) await expect(commit()).rejects.toMatchObject({ code: "store/unknown-outcome" });

    expect(await ask(primary.url, "SELECT FROM cm.tx")).toHaveLength(1);
    await primary.kill();
    proxy.moveTo(standby.url);
    await standby.promote();
    expect((await store.getMany(["call_1"])).size).toBe(0);
    expect((await commit()).results).toMatchObject([{ outcome: "written" }]);
  });
});

withCampaign("a store that is opened on a standby", () => {
  it("is read, says at the deadline that it takes no commit, and is not made there", async () => {
    const { standby, proxy, open } = await pairOfServers();
    const store = await open();
    await store.commit(write("call_1", "a"));
    await makeVersion1(proxy.url, "older");
    const reader = await open({ url: standby.url, deadlineMs: shortMs });
    await expect.poll(async () => (await reader.getMany(["call_1"])).size).toBe(1);

    const readOnly = { code: "store/unavailable", message: expect.stringContaining("name the primary") };
    await expect(reader.commit(write("call_1", "b"), { requestId: "r1" })).rejects.toMatchObject(readOnly);
    await expect(reader.erase(["call_1"], "asked for")).rejects.toMatchObject(readOnly);
    await expect(open({ url: standby.url, deadlineMs: shortMs, schema: "other" })).rejects.toMatchObject(readOnly);
    const older = await open({ url: standby.url, schema: "older" });
    expect((await older.getMany(["call_1"])).size).toBe(0);
  });
});

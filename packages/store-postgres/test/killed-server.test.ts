// @module-tag process
// @module-tag long
// Verifies: F1, F2, SSOT 2.8: with a server that is killed three times under many writers nothing acknowledged is lost and nothing
// is there twice.
import { setTimeout as pause } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { toolcall } from "./support/documents.ts";
import { freshSchema, withOwnPostgres } from "./support/on-postgres.ts";
import { campaign } from "./support/random.ts";

/** Writers of one shared head and of their own calls, and steps of each. */
const writers = campaign ? 32 : 8;
const steps = campaign ? 400 : 40;

withOwnPostgres("many writers on a server that is killed", (postgres, own) => {
  it("lose nothing and double nothing", async () => {
    const schema = freshSchema();
    const stores = await Promise.all(Array.from({ length: writers }, () => postgres.open({ schema, connections: 1 })));
    onTestFinished(() => Promise.all(stores.map((store) => store.close())).then(() => {}));
    let done = 0;
    const all = writers * steps;

    const writing = stores.map(async (store, writer) => {
      for (let step = 0; step < steps; step += 1) {
        const id = `call_${writer}_${step}`;
        const head = toolcall("head", null, { args: { writer, step } });
        const writes = [
          { document: toolcall(id, id), expect: "absent" as const },
          { document: head, expect: "any" as const },
        ];
        await store.commit(writes, { requestId: id });
        done += 1;
      }
    });
    const killing = (async () => {
      for (const part of [0.25, 0.5, 0.75]) {
        while (done < part * all) await pause(1);
        await own.server.kill();
        await own.server.start();
      }
    })();
    await Promise.all([...writing, killing]);

    const store = stores[0];
    const ids = Array.from({ length: all }, (_, n) => `call_${Math.floor(n / steps)}_${n % steps}`);
    const calls = await store?.getMany(ids);
    expect(calls?.size).toBe(all);
    const bases = new Set([...(calls?.values() ?? [])].map(({ basis }) => basis));
    expect(bases.size).toBe(all);
    let heads = 0;
    let cursor: string | undefined;
    do {
      const page = await store?.history("head", cursor === undefined ? {} : { cursor });
      heads += page?.versions.length ?? 0;
      cursor = page?.next;
    } while (cursor !== undefined);
    expect(heads).toBe(all);
    expect((await store?.check?.())?.problems).toEqual([]);
  });
});

// @module-tag long
// Verifies: SSOT 3.9, decision 0099: the requests of a long session are listed from its keyframes, without its steps.
import { createMemoryStore, type ObjectStore, stepId } from "@cm/object-model";
import { beforeAll, describe, expect, it } from "vitest";
import { eraseObjects, forkSession, openSession, returnToStep } from "../src/index.ts";
import { openPast, type PastRequest, requestsOf } from "../src/past.ts";
import { verifyStore } from "../src/verify.ts";
import { all } from "./support/all.ts";
import { MapSource } from "./support/map-source.ts";
import { reads, user } from "./support/messages.ts";
import { quietPolicy } from "./support/policies.ts";
import { openLog, rendererFor } from "./support/renderers.ts";
import { intercepted } from "./support/stores.ts";

const steps = 600;

describe("the requests of a session of 600 steps", () => {
  let store: ObjectStore;
  let asked: string[];
  let counted: ObjectStore;
  let told: readonly PastRequest[];

  beforeAll(async () => {
    store = createMemoryStore({ now: () => 1_700_000_000_000 });
    await work(store, 0, steps);
    counted = intercepted(store, {
      before: (method, [ids]) => {
        if (method === "getMany") asked.push(...(ids as readonly string[]));
      },
    });
    told = (await openPast(store, "s", rendererFor)).requests();
    asked = [];
  });

  it("are what its steps say, and most steps are not read", async () => {
    expect(await all(requestsOf(counted, "s"))).toEqual(told);
    // The newest, which are read with those beside them.
    expect(stepsIn(asked)).toBeLessThan(400);
  });

  it("are the same in pages, at each boundary", async () => {
    for (const from of [0, 99, 100, 101, 288, 389, 599]) {
      const part = await all(requestsOf(store, "s", { from, to: from + 120, order: "newest" }));
      expect(part).toEqual(told.slice(from, from + 120).reverse());
    }
  });

  it("are the same in a fork, which lists those before it by their keyframes", async () => {
    await forkSession(store, { session: "s", n: 350 }, { session: "fork" });
    await work(store, 351, 460, "fork");

    const requests = await all(requestsOf(store, "fork"));

    expect(requests).toEqual((await openPast(store, "fork", rendererFor)).requests());
    expect(await findings(store)).toEqual([]);
  });

  it("say that a step was erased, and that texts of one were", async () => {
    await eraseObjects(store, [stepId({ session: "s", n: 150 })], "a leaked key");
    await store.erase([stepId({ session: "s", n: 40 })], "a leaked key");

    const requests = await all(requestsOf(store, "s"));

    expect(requests.map(({ n }) => n)).toEqual(told.map(({ n }) => n));
    expect(requests.flatMap(({ n, erased }) => (erased === undefined ? [] : [[n, erased]]))).toEqual([
      [40, "step"],
      [150, "texts"],
    ]);
    expect(requests.slice(151).map((request) => ({ ...request, plainChars: 0, plainBilled: 0 }))).toEqual(
      told.slice(151).map((request) => ({ ...request, plainChars: 0, plainBilled: 0 })),
    );
  });

  it("go on with what came after the session went back", async () => {
    await returnToStep(store, { session: "s", n: 260 });
    await work(store, 261, 380);

    const requests = await all(requestsOf(store, "s"));

    expect(requests.map(({ n }) => n)).toEqual(Array.from({ length: 380 }, (_, n) => n));
  });
});

const stepsIn = (ids: readonly string[]): number => ids.filter((id) => id.startsWith("step:")).length;

async function work(store: ObjectStore, from: number, to: number, session = "s"): Promise<void> {
  const layout = { policy: quietPolicy, renderer: openLog };
  const opened = await openSession({ store, layout, session, sources: [new MapSource()] });
  for (let n = from; n < to; n += 1) {
    if (n % 5 === 0) await opened.receive([user(`prompt ${n}`)]);
    await opened.assemble(n % 50 === 7 ? { cache: "cold" } : {});
    const usage = n % 3 === 0 ? { usage: { input: n, output: 2, cacheRead: 3, cacheWrite: 4 } } : {};
    await opened.record({ ...reads("/a", `text ${n}`, `call_${n}`), ...usage });
  }
  await opened.abandon();
}

async function findings(store: ObjectStore): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const finding of verifyStore(store)) found.push(finding);
  return found;
}

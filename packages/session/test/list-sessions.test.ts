// Verifies: SSOT 2.6, 3.7, 3.12: which sessions a store has, and which of them met an object.
import type { LeveledObject } from "@cm/context-log";
import { CmError, createMemoryStore, type ObjectStore, objectIdOf, sealDocument } from "@cm/object-model";
import { limits } from "@cm/step-log";
import { describe, expect, it } from "vitest";
import { forkSession, listSessions, openSession, type Session, sessionsThatMet } from "../src/index.ts";
import { all } from "./support/all.ts";
import { at, MapSource } from "./support/map-source.ts";
import { reads, result, runs, says, user } from "./support/messages.ts";
import { Play } from "./support/play.ts";
import { quietPolicy } from "./support/policies.ts";
import { openLog, openSets } from "./support/renderers.ts";
import { randomScript } from "./support/script.ts";
import { forSeeds } from "./support/seeds.ts";
import { intercepted } from "./support/stores.ts";

const file = "test/list-sessions.test.ts";
/** The step of a played session that has the first keyframe: they stand five steps apart. */
const firstKeyframe = 4;

describe("the sessions of a store", () => {
  it("are listed with what their heads say", async () => {
    const store = createMemoryStore();
    const a = await open(store, "a");
    await step(a, runs(result("c0", "one"), result("c1", "two")));
    await a.command({ action: "pin", id: "c0" });
    await step(a, says("done"));
    await open(store, "b");
    await forkSession(store, { session: "a", n: 0 }, { session: "c" });

    const [first, second, third] = await all(listSessions(store));

    expect(first).toMatchObject({
      session: "a",
      status: "active",
      steps: 2,
      turns: 2,
      toolcalls: 2,
      counts: { index: 2, pool: 2, active: 2, pinned: 1 },
      head: { session: "a", n: 1 },
      recordedAtMs: 1_000,
    });
    expect(second).toMatchObject({ session: "b", steps: 0, head: null });
    expect(second).not.toHaveProperty("recordedAtMs");
    expect(third).toMatchObject({ session: "c", status: "paused", steps: 1, forkedFrom: { session: "a", n: 0 } });
  });

  it("say who writes them", async () => {
    const store = createMemoryStore();
    await openSession({ store, layout: { policy: quietPolicy, renderer: openLog }, session: "a" });
    const lease = { content: null, session_ref: "session:a", owner: "me", acquired_at: 5, expires_at: 9 };
    await store.commit([{ document: sealDocument({ type: "lease", id: "lease:a" }, lease), expect: "any" }]);

    const [summary] = await all(listSessions(store));

    expect(summary?.lease).toEqual({ owner: "me", acquiredAtMs: 5, expiresAtMs: 9 });
  });

  it("that are erased or damaged are listed as such, and stop nothing", async () => {
    const healthy = createMemoryStore();
    for (const session of ["a", "b", "c", "d", "e"]) await step(await open(healthy, session), says("done"));
    await healthy.erase(["chat:a", "session:c"], "a leaked key");
    const store = intercepted(healthy, {
      before(method, [asked]) {
        if (method === "getMany" && Array.isArray(asked) && asked.includes("session:d"))
          throw new CmError("store/corrupt", "The document session:d is torn.");
      },
    });

    const sessions = await all(listSessions(store));

    expect(sessions.map(({ session, status }) => `${session} ${status}`)).toEqual([
      "a erased",
      "b active",
      "d damaged",
      "e active",
      "c erased",
    ]);
  });

  it("are read in three calls a page", async () => {
    const store = createMemoryStore();
    const count = limits.sessionsPerPage + 1;
    for (let n = 0; n < count; n += 1) await open(store, `s${n}`);
    const calls: string[] = [];

    const sessions = await all(listSessions(intercepted(store, { before: (method) => void calls.push(method) })));

    expect(sessions).toHaveLength(count);
    expect(calls).toHaveLength(2 * 3 + 2);
  });
});

describe.each([openLog, openSets])("the sessions that met an object, under $layout", (renderer) => {
  it("are those that have it in their index, with its level there", async () => {
    await forSeeds({ short: 8, long: 1_000, file }, async (random, seed) => {
      const store = createMemoryStore();
      const source = new MapSource();
      const plays: Play[] = [];
      for (const session of ["a", "b"]) plays.push(await Play.open({ store, renderer, seed, session, source }));
      for (const action of randomScript(random, 2 + random.below(16))) await random.pick(plays).do(action);
      const from = random.pick(plays.filter(({ steps }) => steps.length > 0));
      const forked = { session: from.session.session, n: random.pick(from.steps).n };
      await forkSession(store, forked, { session: "fork" });
      plays.push(await Play.goOn({ store, renderer, seed, session: "fork", source }));
      for (const action of randomScript(random, 2)) await plays[2]?.do(action);
      let lists = await listsOf(store, plays);
      if (random.chance(0.3)) {
        await store.erase([`step:${forked.session}:0`], "a leaked key");
        const opened = await listsOf(store, plays);
        // Keyframes still list what the erased step met. An opening needs its text, too, and goes on without it.
        const isListed = plays.map(({ steps }, place) => (place === 2 ? forked.n : steps.length - 1) >= firstKeyframe);
        lists = lists.map((before, place) => (isListed[place] ? before : (opened[place] ?? before)));
      }

      await expectMet(store, lists);
    });
  });
});

interface SessionList {
  readonly session: string;
  readonly list: readonly LeveledObject[];
}

/** What each session lists when it is opened now. */
const listsOf = (store: ObjectStore, plays: readonly Play[]): Promise<readonly SessionList[]> =>
  Promise.all(
    plays.map(async ({ session: { session } }) => ({
      session,
      list: await (await reopened(store, session)).objects(),
    })),
  );

/** Every object of every session, asked for one by one, against what the sessions themselves list. */
async function expectMet(store: ObjectStore, lists: readonly SessionList[]): Promise<void> {
  for (const id of new Set(lists.flatMap(({ list }) => list.map((object) => object.id)))) {
    const expected = lists.flatMap(({ session, list }) =>
      list.filter((object) => object.id === id).map(({ level, pinned }) => ({ session, level, pinned })),
    );
    const met = (await all(sessionsThatMet(store, id))).filter(({ session }) => !session.startsWith("elsewhere"));
    expect(met).toEqual(expected);
  }
}

describe("a file", () => {
  it("that a session of many steps met long ago is found by its newest keyframe", async () => {
    const store = createMemoryStore();
    const source = new MapSource();
    source.files.set("/a", "text");
    const options = { store, layout: { policy: quietPolicy, renderer: openLog }, sources: [source], session: "a" };
    const session = await openSession({ ...options, keyframeEverySteps: 100 });
    await step(session, reads("/a", "shown"));
    for (let n = 1; n < 205; n += 1) await step(session, says("."));
    let read = 0;
    const counting = intercepted(store, {
      before(method, [ids]) {
        if (method === "getMany" && Array.isArray(ids)) read += ids.filter((id) => `${id}`.startsWith("step:")).length;
      },
    });

    const met = await all(sessionsThatMet(counting, objectIdOf({ type: "file", source: at("/a") })));

    expect(met).toEqual([{ session: "a", level: "active", pinned: false }]);
    expect(read).toBeLessThan(100);
  });

  it("without a session that saw it has none", async () => {
    const store = createMemoryStore();
    await step(await open(store, "a"), says("."));

    expect(await all(sessionsThatMet(store, objectIdOf({ type: "file", source: at("/a") })))).toEqual([]);
  });
});

const open = (store: ObjectStore, session: string) =>
  openSession({ store, layout: { policy: quietPolicy, renderer: openLog }, session, now: () => 1_000 });

const reopened = (store: ObjectStore, session: string) =>
  openSession({ store, layout: { policy: quietPolicy, renderer: openLog }, session, sweep: false });

async function step(session: Session, record: Parameters<Session["record"]>[0]): Promise<void> {
  await session.receive([user("go on")]);
  await session.assemble();
  await session.record(record);
}

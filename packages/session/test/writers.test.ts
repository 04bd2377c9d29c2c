// @module-tag long
// Verifies: SSOT 3.7, F6: several writers on one session lose nothing: the overtaken writer continues in a fork.
import { CmError, createMemoryStore, type ObjectStore } from "@cm/object-model";
import type { Random } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { listSessions, openSession, rebuildPrompt, returnToStep, type Session } from "../src/index.ts";
import { verifyStore } from "../src/verify.ts";
import { all } from "./support/all.ts";
import { MapSource } from "./support/map-source.ts";
import { reads, result, runs, says, user } from "./support/messages.ts";
import { Play } from "./support/play.ts";
import { quietPolicy } from "./support/policies.ts";
import { openLog, openSets, rendererFor } from "./support/renderers.ts";
import { type Action, randomScript } from "./support/script.ts";
import { forSeeds } from "./support/seeds.ts";
import { intercepted } from "./support/stores.ts";

const file = "test/writers.test.ts";

describe.each([openLog, openSets])("two to four writers of one session under $layout", (renderer) => {
  it("keep every step, every object and every prompt, each in one session", async () => {
    await forSeeds({ short: 12, long: 4_000, file }, async (random, seed) => {
      const shared = createMemoryStore();
      const source = new MapSource();
      const plays = await Promise.all(
        Array.from({ length: 2 + random.below(3) }, (_, writer) =>
          Play.open({ store: dawdling(shared, random), renderer, seed: seed * 10 + writer, source }),
        ),
      );

      await Promise.all(plays.map((play) => playAll(play, randomScript(random, 2 + random.below(4)), random)));

      const steps = plays.flatMap((play) => play.steps);
      expect(await stepsOf(shared)).toEqual(steps.map(({ session, n }) => `step:${session}:${n}`).sort());
      for (const play of plays) {
        const { session } = play;
        const layout = { policy: quietPolicy, renderer };
        const reader = await openSession({ store: shared, layout, rendererFor, session: session.session });
        expect(reader.wrapper()).toEqual(session.wrapper());
        await reader.abandon();
      }
      for (const { session, n, prompt } of steps) {
        const rebuilt = await rebuildPrompt(shared, { session, n }, rendererFor);
        expect(rebuilt.prompt).toEqual(prompt);
        expect([rebuilt.hash, rebuilt.complete]).toEqual([rebuilt.recordedHash, true]);
      }
      expect(await all(verifyStore(shared))).toEqual([]);
    });
  });
});

describe("a step that another writer overtook", () => {
  it("is the first of a fork, which its receipt names, and both go on", async () => {
    const store = createMemoryStore();
    const mine = await openAt(store, "mine");
    await stepWith(mine, "m0");
    const theirs = await openAt(store, "theirs");
    await stepWith(theirs, "t1");

    const receipt = await stepWith(mine, "m1");
    const next = await stepWith(mine, "m2");
    await stepWith(theirs, "t2");

    const { session } = mine;
    expect(session).toMatch(/^s~[0-9a-f]{8}$/);
    expect(receipt).toMatchObject({ n: 0, fork: { session, left: "s", from: { session: "s", n: 0 } } });
    expect(next).toMatchObject({ n: 1 });
    expect(next).not.toHaveProperty("fork");
    expect(await textsOf(store, session)).toEqual(["m0", "m1", "m2"]);
    expect(await textsOf(store, "s")).toEqual(["m0", "t1", "t2"]);
    expect(await forksIn(store)).toEqual([
      ["s", undefined],
      [session, { session: "s", n: 0 }],
    ]);
    expect(await all(verifyStore(store))).toEqual([]);
  });

  it("begins a session of its own where the two share no step", async () => {
    const store = createMemoryStore();
    const [mine, theirs] = [await openAt(store, "mine"), await openAt(store, "theirs")];
    await stepWith(theirs, "t0");

    const { fork } = await stepWith(mine, "m0");

    expect(fork).toEqual({ session: mine.session, left: "s", from: null });
    expect(await textsOf(store, mine.session)).toEqual(["m0"]);
    expect(await all(verifyStore(store))).toEqual([]);
  });

  it("takes along what the agent asked for, late results and files, and tells nothing of the other's", async () => {
    const store = createMemoryStore();
    const source = new MapSource();
    source.files.set("/a", "text");
    const [mine, theirs] = [await openAt(store, "mine", source), await openAt(store, "theirs", source)];
    await stepWith(theirs, "t0");
    await mine.receive([user("m0"), result("late", "came late")]);
    await mine.assemble();
    await mine.record(reads("/a", "text"));
    await mine.command({ action: "pin", id: "/a" });
    await stepWith(mine, "m1");

    const reader = await openAt(store, "reader", source, mine.session);

    expect(reader.wrapper()).toEqual(mine.wrapper());
    expect(reader.wrapper().pinned_set).toHaveLength(1);
    expect((await reader.objects()).map(({ id }) => id)).not.toContain("call t0");
  });

  it("goes on with the next number of its name where a session of that name is there", async () => {
    const store = createMemoryStore();
    const mine = await openAt(store, "mine");
    await stepWith(await openAt(store, "theirs"), "t0");
    await stepWith(mine, "m0");
    const first = mine.session;
    await stepWith(await openAt(store, "again", new MapSource(), first), "t1");

    const { fork } = await stepWith(mine, "m1");

    expect(fork).toEqual({ session: `${first}-2`, left: first, from: { session: first, n: 0 } });
    expect(await textsOf(store, mine.session)).toEqual(["m0", "m1"]);
  });

  it("stays where it is while the other one only opens and closes the session", async () => {
    const store = createMemoryStore();
    const mine = await openAt(store, "mine");
    await stepWith(mine, "m0");
    const theirs = await openAt(store, "theirs");
    await theirs.receive([user("left by them")]);
    await theirs.close();

    const receipt = await stepWith(mine, "m1");

    expect(receipt).toMatchObject({ n: 1 });
    expect(receipt).not.toHaveProperty("fork");
    expect((await openAt(store, "next")).opened.pendingMessages).toBe(1);
  });

  it("goes on from where it stands where another one went back in the session", async () => {
    const store = createMemoryStore();
    const mine = await openAt(store, "mine");
    await stepWith(mine, "m0");
    await stepWith(mine, "m1");
    await returnToStep(store, { session: "s", n: 0 });

    await stepWith(mine, "m2");

    expect(await textsOf(store, mine.session)).toEqual(["m0", "m1", "m2"]);
    expect(await textsOf(store, "s")).toEqual(["m0"]);
    expect(await all(verifyStore(store))).toEqual([]);
  });

  it("is written once, also where the answer of the fork's commit is lost", async () => {
    const store = createMemoryStore();
    let lost = 0;
    const dropping = intercepted(store, {
      after(method, [writes]) {
        if (method !== "commit" || lost > 0 || !JSON.stringify(writes).includes('"forked_from"')) return;
        lost += 1;
        throw new CmError("store/unknown-outcome", "lost");
      },
    });
    const mine = await openAt(dropping, "mine");
    await stepWith(mine, "m0");
    await stepWith(await openAt(store, "theirs"), "t1");

    const { n, fork } = await stepWith(mine, "m1");

    expect([lost, n, fork?.session]).toEqual([1, 0, mine.session]);
    expect(await stepsOf(store)).toEqual(["step:s:0", "step:s:1", `step:${mine.session}:0`]);
  });

  it("can be erased, and the fork still reads on to the step that both share", async () => {
    const store = createMemoryStore();
    const mine = await openAt(store, "mine");
    await stepWith(mine, "m0");
    await stepWith(await openAt(store, "theirs"), "t1");
    await stepWith(mine, "m1");
    await stepWith(mine, "m2");
    await store.erase([`step:${mine.session}:0`], "a leaked key");

    expect((await textsOf(store, mine.session)).filter((text) => text.startsWith("m"))).toEqual(["m0", "m2"]);
    expect((await all(verifyStore(store))).filter(({ problem }) => problem !== "erased")).toEqual([]);
  });

  it("can have an object erased in the fork", async () => {
    const store = createMemoryStore();
    const mine = await openAt(store, "mine");
    await stepWith(mine, "m0");
    await stepWith(await openAt(store, "theirs"), "t1");
    await stepWith(mine, "m1");

    await mine.erase(["call m1"], "a leaked key");
    await stepWith(mine, "m2");

    expect(await textsOf(store, mine.session)).toEqual(["m0", "m1", "m2"]);
    expect((await all(verifyStore(store))).filter(({ problem }) => problem !== "erased")).toEqual([]);
  });

  it("keeps the system prompt that its request was made with", async () => {
    const store = createMemoryStore();
    const [mine, theirs] = [await openAt(store, "mine"), await openAt(store, "theirs")];
    await theirs.assemble({ systemPrompt: "theirs" });
    await theirs.record(says("t0"));

    await mine.assemble({ systemPrompt: "mine" });
    await mine.record(says("m0"));

    const prompts = await Promise.all([
      rebuildPrompt(store, { session: "s", n: 0 }, rendererFor),
      rebuildPrompt(store, { session: mine.session, n: 0 }, rendererFor),
    ]);
    expect(prompts.map(({ prompt }) => prompt.system)).toEqual(["theirs", "mine"]);
    expect(prompts.filter(({ hash, recordedHash }) => hash !== recordedHash)).toEqual([]);
  });
});

describe("closing a session that another writer went on with", () => {
  it("keeps what was received in a fork, with which the next one goes on", async () => {
    const store = createMemoryStore();
    const mine = await openAt(store, "mine");
    await stepWith(mine, "m0");
    await stepWith(await openAt(store, "theirs"), "t1");
    await mine.receive([user("not answered yet")]);

    await mine.close();

    const next = await openAt(store, "next", new MapSource(), mine.session);
    expect(mine.session).toMatch(/^s~/);
    expect(next.opened.pendingMessages).toBe(1);
    await next.assemble();
    await next.record(says("answered"));
    expect(await textsOf(store, mine.session)).toEqual(["m0", "not answered yet"]);
    expect(await textsOf(store, "s")).toEqual(["m0", "t1"]);
    expect(await all(verifyStore(store))).toEqual([]);
  });

  it("makes no fork where nothing waits", async () => {
    const store = createMemoryStore();
    const mine = await openAt(store, "mine");
    await stepWith(mine, "m0");
    await stepWith(await openAt(store, "theirs"), "t1");

    await mine.close();

    expect(mine.session).toBe("s");
    expect(await forksIn(store)).toEqual([["s", undefined]]);
  });

  it("finds the fork that it wrote where the answer was lost", async () => {
    const store = createMemoryStore();
    let losses = 3;
    const dropping = intercepted(store, {
      after(method, [writes]) {
        if (method !== "commit" || losses === 0 || !JSON.stringify(writes).includes('"forked_from"')) return;
        losses -= 1;
        throw new CmError("store/unknown-outcome", "lost");
      },
    });
    const mine = await openAt(dropping, "mine");
    await stepWith(mine, "m0");
    await stepWith(await openAt(store, "theirs"), "t1");
    await mine.receive([user("not answered yet")]);

    await expect(mine.close()).rejects.toMatchObject({ code: "store/unknown-outcome" });
    await mine.close();

    expect(await forksIn(store)).toEqual([
      ["s", undefined],
      [mine.session, { session: "s", n: 0 }],
    ]);
  });
});

async function playAll(play: Play, script: readonly Action[], random: Random): Promise<void> {
  for (const action of script) {
    await play.do(action);
    if (action.do === "record" && random.chance(0.2)) await play.reopen();
  }
}

/** A store that lets others go first, a seeded number of times before and after each call. */
function dawdling(store: ObjectStore, random: Random): ObjectStore {
  const wait = async () => {
    for (let n = random.below(5); n > 0; n -= 1) await Promise.resolve();
  };
  return intercepted(store, { before: wait, after: wait });
}

function openAt(store: ObjectStore, owner: string, source = new MapSource(), session = "s"): Promise<Session> {
  const layout = { policy: quietPolicy, renderer: openLog };
  return openSession({ store, layout, rendererFor, sources: [source], session, owner });
}

async function stepWith(session: Session, name: string) {
  await session.receive([user(name)]);
  await session.assemble();
  return session.record(runs(result(`call ${name}`, name)));
}

/** What was said in a session, as one who opens it anew finds it. */
async function textsOf(store: ObjectStore, session: string): Promise<readonly string[]> {
  const reader = await openAt(store, "reader", new MapSource(), session);
  const { turns } = reader.chat();
  await reader.abandon();
  return turns.flatMap((turn) => turn.user.map(({ text }) => text));
}

async function forksIn(store: ObjectStore) {
  return (await all(listSessions(store))).map(({ session, forkedFrom }) => [session, forkedFrom]);
}

/** Ids of the steps of the session and its forks. */
async function stepsOf(store: ObjectStore): Promise<readonly string[]> {
  const { versions } = await store.find({ type: "step" });
  return versions.flatMap(({ id }) => (/^step:s[:~]/.test(id) ? [id] : [])).sort();
}

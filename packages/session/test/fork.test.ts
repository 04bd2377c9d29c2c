// @module-tag long
// Verifies: SSOT 3.7, 3.12: a fork continues a step of another session, copies nothing and changes no other session.
import type { Renderer } from "@cm/context-log";
import { CmError, createMemoryStore, type ObjectStore } from "@cm/object-model";
import type { Random } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { forkSession, openSession, rebuildPrompts, type Session, sessionAt } from "../src/index.ts";
import { all } from "./support/all.ts";
import type { MapSource } from "./support/map-source.ts";
import { answering, call, result, runs, says, user } from "./support/messages.ts";
import { Play } from "./support/play.ts";
import { quietPolicy } from "./support/policies.ts";
import { openLog, openSets, rendererFor } from "./support/renderers.ts";
import { type Action, randomScript } from "./support/script.ts";
import { forSeeds } from "./support/seeds.ts";
import { copyOf, onSide, withPlainCalls } from "./support/sides.ts";
import { snapshot } from "./support/snapshot.ts";
import { everythingIn, intercepted, recording } from "./support/stores.ts";

const file = "test/fork.test.ts";
const fixedStore = () => createMemoryStore({ now: () => 1_700_000_000_000 });

describe.each([openLog, openSets])("a fork of a random session under $layout", (renderer) => {
  it("begins with what the session was at that step", async () => {
    await forSeeds({ short: 10, long: 2_000, file }, async (random, seed) => {
      const play = await begun({ renderer, seed }, random);
      const from = random.pick(play.steps);
      const then = await sessionAt(play.stage.store, { session: "s", n: from.n });

      await forkSession(play.stage.store, { session: "s", n: from.n }, { session: "fork" });

      const fork = await openPlain(play.stage.store, renderer, "fork");
      const { session_index, metadata_pool, active_set, pinned_set } = then.wrapper;
      expect(fork.wrapper()).toMatchObject({ session_index, metadata_pool, active_set, pinned_set });
      expect(fork.chat()).toMatchObject({ turns: then.chat.turns, turn_count: then.chat.turn_count });
      expect(await fork.objects()).toEqual(then.objects);
      expect([fork.view().systemPrompt, fork.view().sent]).toEqual([then.systemPrompt, from.prompt]);
    });
  });

  it("and the session go on as if there were no other", async () => {
    await forSeeds({ short: 10, long: 2_000, file }, async (random, seed) => {
      const first = randomScript(random, 1 + random.below(6));
      // A third session that saw the world of the one would take the other's files for deleted.
      const own = onSide("b", randomScript(random, 3)).filter((action) => action.do !== "foreign read");
      const scripts = [onSide("a", randomScript(random, 3)), own] as const;
      const place = random.below(100);
      const stage = (): Promise<Forked> => forked({ renderer, seed }, first, place);

      const [both, alone, only] = [await stage(), await begunAlone({ renderer, seed }, first), await stage()];
      await interleaved(random, [both.play, scripts[0]], [both.fork, scripts[1]]);
      for (const action of scripts[0]) await alone.do(action);
      for (const action of scripts[1]) await only.fork.do(action);

      expect(snapshot(both.play.session)).toEqual(snapshot(alone.session));
      expect(both.play.steps).toEqual(alone.steps);
      expect(snapshot(both.fork.session)).toEqual(snapshot(only.fork.session));
      expect(both.fork.steps).toEqual(only.fork.steps);
      await expectRebuilt(both.play.stage.store, both);
    });
  });

  it("at its end goes on as the session itself would", async () => {
    await forSeeds({ short: 10, long: 2_000, file }, async (random, seed) => {
      const first = randomScript(random, 1 + random.below(6));
      const then = withPlainCalls(onSide("x", randomScript(random, 3)));
      const nameless = { ...renderer, render: namelessly(renderer) };
      const whole = await begunAlone({ renderer: nameless, seed }, first);
      const { fork } = await forked({ renderer: nameless, seed }, first, -1);

      await whole.reopen();
      for (const action of then) {
        await whole.do(action);
        await fork.do(action);
      }

      expect(withoutName(fork)).toEqual(withoutName(whole));
    });
  });
});

interface Setting {
  readonly renderer: Renderer;
  readonly seed: number;
}
interface Forked {
  readonly play: Play;
  readonly fork: Play;
}

function begun(setting: Setting, random: Random): Promise<Play> {
  return begunAlone(setting, randomScript(random, 1 + random.below(6)));
}

/** A session of its own store after a script. */
async function begunAlone({ renderer, seed }: Setting, script: readonly Action[]): Promise<Play> {
  const play = await Play.open({ store: fixedStore(), renderer, seed });
  for (const action of script) await play.do(action);
  return play;
}

/** The same, with a fork at one of its steps; `place` counts round them, -1 is the newest. */
async function forked(setting: Setting, script: readonly Action[], place: number): Promise<Forked> {
  const play = await begunAlone(setting, script);
  const n = play.steps.at(place < 0 ? -1 : place % play.steps.length)?.n ?? 0;
  await forkSession(play.stage.store, { session: "s", n }, { session: "fork" });
  const source: MapSource = copyOf(play.source);
  const fork = await Play.goOn({ ...setting, store: play.stage.store, session: "fork", source });
  return { play, fork };
}

async function interleaved(random: Random, ...lines: readonly (readonly [Play, readonly Action[]])[]): Promise<void> {
  const open = lines.map(([play, script]) => ({ play, script: [...script] }));
  while (open.some(({ script }) => script.length > 0)) {
    const { play, script } = random.pick(open);
    const action = script.shift();
    if (action !== undefined) await play.do(action);
  }
}

/** Every prompt of both, the fork's from the first one of the old session on. */
async function expectRebuilt(store: ObjectStore, { play, fork }: Forked): Promise<void> {
  const [own, forks] = [
    await all(rebuildPrompts(store, "s", rendererFor)),
    await all(rebuildPrompts(store, "fork", rendererFor)),
  ];
  expect(own.map(({ prompt }) => prompt)).toEqual(play.steps.map(({ prompt }) => prompt));
  const shared = forks.length - fork.steps.length;
  expect(forks.map(({ prompt }) => prompt)).toEqual(
    [...play.steps.slice(0, shared), ...fork.steps].map(({ prompt }) => prompt),
  );
  expect([...own, ...forks].filter(({ hash, recordedHash, complete }) => hash !== recordedHash || !complete)).toEqual(
    [],
  );
}

/** Renders without the one thing in which a fork must differ: its name. */
const namelessly =
  ({ render }: Renderer): Renderer["render"] =>
  (view, decision) =>
    render({ ...view, session: "-" }, decision);

/** What a session is, but for its name. */
function withoutName(play: Play) {
  const { chat, ...rest } = snapshot(play.session);
  const { id: _id, session_ref: _session, ...turns } = chat;
  return { ...rest, turns };
}

const openPlain = (store: ObjectStore, renderer: Renderer, session: string) =>
  openSession({ store, layout: { policy: quietPolicy, renderer }, rendererFor, session });

describe("a fork", () => {
  it("writes three documents of the same size, however long the session is", async () => {
    const sizes = await Promise.all([1, 40].map((steps) => bytesOfFork(steps)));

    expect(sizes[0]?.ids).toEqual(["session:fork", "chat:fork", "system_prompt:fork"]);
    // Only the digits of the counts grow.
    expect((sizes[1]?.bytes ?? 0) - (sizes[0]?.bytes ?? 0)).toBeLessThan(32);
  });

  it("has counts of its own that include what it continues", async () => {
    const { store } = await withSteps(3);
    await forkSession(store, { session: "s", n: 1 }, { session: "fork" });
    await oneStep(await openPlain(store, openLog, "fork"), "fork 0");

    const [head, chat] = await documentsOf(store, ["session:fork", "chat:fork"]);

    expect(head).toMatchObject({ next_step: 1, forked_from: { session: "s", n: 1 }, head: { session: "fork", n: 0 } });
    expect(head).toMatchObject({ index_count: 3, pool_count: 3, status: "active" });
    expect(chat).toMatchObject({ turn_count: 3, step_count: 3, toolcall_count: 3 });
  });

  it("leaves every document of the old session as it was, and its steps lead into it", async () => {
    const { store } = await withSteps(3);
    const before = await everythingIn(store, ["s"]);

    await forkSession(store, { session: "s", n: 1 }, { session: "fork" });
    await oneStep(await openPlain(store, openLog, "fork"), "fork 0");

    const [step] = await documentsOf(store, ["step:fork:0"]);
    expect(await everythingIn(store, ["s"])).toEqual(before);
    expect(step).toMatchObject({ parent: { session: "s", n: 1 } });
  });

  it("of a fork continues both, also at a step that the first one wrote", async () => {
    const { store } = await withSteps(2);
    await forkSession(store, { session: "s", n: 0 }, { session: "one" });
    await oneStep(await openPlain(store, openLog, "one"), "one 0");
    await forkSession(store, { session: "one", n: 0 }, { session: "two" });
    const two = await openPlain(store, openLog, "two");
    await oneStep(two, "two 0");

    const prompts = await all(rebuildPrompts(store, "two", rendererFor));

    expect(prompts.map(({ session, n }) => `${session} ${n}`)).toEqual(["s 0", "one 0", "two 0"]);
    expect(prompts.every(({ hash, recordedHash }) => hash === recordedHash)).toBe(true);
    expect(two.wrapper().session_index).toEqual(["call s 0", "call one 0", "call two 0"]);
  });

  it("has the system prompt of its step, not the newest one", async () => {
    const { store, session } = await withSteps(1);
    await session.assemble({ systemPrompt: "later" });
    await session.record(says("done"));

    await forkSession(store, { session: "s", n: 0 }, { session: "early" });
    await forkSession(store, { session: "s", n: 1 }, { session: "late" });

    const [early, late] = await documentsOf(store, ["system_prompt:early", "system_prompt:late"]);
    expect([early?.content, late?.content]).toEqual(["first", "later"]);
  });

  it("answers a call that the old session left open, as the old session does", async () => {
    const { store, session } = await withSteps(1);
    await session.assemble();
    await session.record({ answer: answering(call("open")) });
    await forkSession(store, { session: "s", n: 1 }, { session: "fork" });
    const fork = await openPlain(store, openLog, "fork");

    for (const [one, text] of [
      [session, "to the session"],
      [fork, "to the fork"],
    ] as const) {
      await one.receive([result("open", text)]);
      await one.assemble();
      await one.record(says("seen"));
    }

    const textIn = async (one: Session) => (await one.objects()).at(-1)?.text;
    expect([await textIn(session), await textIn(fork)]).toEqual(["to the session", "to the fork"]);
  });

  it("of a session with an erased step has its mark, and a chain that holds", async () => {
    const { store } = await withSteps(3);
    await store.erase(["step:s:1"], "a leaked key");
    await forkSession(store, { session: "s", n: 2 }, { session: "fork" });
    const fork = await openPlain(store, openLog, "fork");

    await oneStep(fork, "fork 0");

    const reopened = await openPlain(store, openLog, "fork");
    expect(reopened.wrapper().session_index).toEqual(["call s 0", "call s 2", "call fork 0"]);
    expect(reopened.chat().turns.flatMap(({ user }) => user.map(({ text }) => text))).toContain("[erased]");
  });

  it("keeps its parent when its own first step is erased", async () => {
    const { store } = await withSteps(2);
    await forkSession(store, { session: "s", n: 1 }, { session: "fork" });
    const fork = await openPlain(store, openLog, "fork");
    await oneStep(fork, "fork 0");
    await oneStep(fork, "fork 1");
    await store.erase(["step:fork:0"], "a leaked key");

    const prompts = await all(rebuildPrompts(store, "fork", rendererFor));

    expect(prompts.map(({ session, n }) => `${session} ${n}`)).toEqual(["s 0", "s 1", "fork 0", "fork 1"]);
  });

  it("takes no id that is there, not even an erased one's", async () => {
    const { store } = await withSteps(1);
    await forkSession(store, { session: "s", n: 0 }, { session: "gone" });
    await store.erase(["session:gone", "chat:gone", "system_prompt:gone"], "no longer wanted");

    for (const session of ["s", "gone"]) {
      await expect(forkSession(store, { session: "s", n: 0 }, { session })).rejects.toMatchObject({
        code: "session/exists",
      });
    }
  });

  it("needs a step that is there, and an id that is one", async () => {
    const { store } = await withSteps(1);

    for (const from of [
      { session: "s", n: 1 },
      { session: "s", n: -1 },
      { session: "nobody", n: 0 },
    ]) {
      await expect(forkSession(store, from)).rejects.toMatchObject({ code: "session/not-found" });
    }
    await expect(forkSession(store, { session: "s", n: 0 }, { session: "a b" })).rejects.toMatchObject({
      code: "model/invalid-id",
    });
  });

  it("whose answer is lost is begun once", async () => {
    const { store } = await withSteps(1);
    let lost = 0;
    const losing = intercepted(store, {
      after(method) {
        if (method !== "commit" || lost > 0) return;
        lost += 1;
        throw new CmError("store/unknown-outcome", "The answer was lost.");
      },
    });

    const { session } = await forkSession(losing, { session: "s", n: 0 });

    expect(lost).toBe(1);
    expect((await openPlain(store, openLog, session)).wrapper().session_index).toEqual(["call s 0"]);
  });
});

async function withSteps(count: number) {
  const store = createMemoryStore();
  const options = {
    store,
    layout: { policy: quietPolicy, renderer: openLog },
    rendererFor,
    session: "s",
    systemPrompt: "first",
  };
  const session = await openSession(options);
  for (let n = 0; n < count; n += 1) await oneStep(session, `s ${n}`);
  return { store, session };
}

/** A turn of one step with a call that is named after it. */
async function oneStep(session: Session, name: string): Promise<void> {
  await session.receive([user(`prompt ${name}`)]);
  await session.assemble();
  await session.record(runs(result(`call ${name}`, `output ${name}`)));
}

async function bytesOfFork(steps: number) {
  const { store, commits } = recording((await withSteps(steps)).store);
  await forkSession(store, { session: "s", n: steps - 1 }, { session: "fork" });
  const documents = commits.flatMap(({ writes }) => writes.map(({ document }) => document));
  return { ids: documents.map((document) => document["xt/id"]), bytes: JSON.stringify(documents).length };
}

async function documentsOf(store: ObjectStore, ids: readonly string[]) {
  const found = await store.getMany(ids);
  return ids.map((id) => found.get(id)?.document);
}

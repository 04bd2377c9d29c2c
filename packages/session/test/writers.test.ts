// Verifies: SSOT 3.7, F6: several writers on one session lose nothing, and every prompt of every branch is rebuilt.
import type { ViewSets } from "@cm/context-log";
import { createMemoryStore, type ObjectStore } from "@cm/object-model";
import type { Random } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { limits, openSession, rebuildPrompts } from "../src/index.ts";
import { emptySets } from "../src/sets/session-sets.ts";
import { mergeChanges } from "../src/steps/merge.ts";
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
  it("keep every step, every object and every prompt", { timeout: 600_000 }, async () => {
    await forSeeds({ short: 25, long: 4_000, file }, async (random, seed) => {
      const shared = createMemoryStore();
      const source = new MapSource();
      const plays = await Promise.all(
        Array.from({ length: 2 + random.below(3) }, (_, writer) =>
          Play.open({ store: dawdling(shared, random), renderer, seed: seed * 10 + writer, source }),
        ),
      );

      await Promise.all(plays.map((play) => playAll(play, randomScript(random, 2 + random.below(4)))));

      const steps = plays.flatMap((play) => play.steps);
      const reader = await openSession({
        store: shared,
        layout: { policy: quietPolicy, renderer },
        rendererFor,
        session: "s",
      });
      expect(steps.map(({ n }) => n).sort((a, b) => a - b)).toEqual(steps.map((_, n) => n));
      expect(new Set(reader.wrapper().session_index)).toEqual(
        new Set(plays.flatMap((play) => play.session.wrapper().session_index)),
      );
      for (const { n, prompt } of steps) {
        const rebuilt = await reader.promptAt(n);
        expect(rebuilt.prompt).toEqual(prompt);
        expect([rebuilt.hash, rebuilt.complete]).toEqual([rebuilt.recordedHash, true]);
      }
    });
  });
});

describe("a step that another writer overtook", () => {
  it("takes the next number, continues its own conversation and names what it merged", async () => {
    const store = createMemoryStore();
    const [mine, theirs] = await twoSessions(store);
    await stepWith(mine, "m0");
    await stepWith(theirs, "t1");

    const receipt = await stepWith(mine, "m1");

    const step = (await store.getMany(["step:s:2"])).get("step:s:2")?.document;
    expect(receipt.n).toBe(2);
    expect([step?.parent, step?.merged]).toEqual([
      { session: "s", n: 0 },
      { session: "s", n: 1 },
    ]);
    expect(mine.chat().turns.flatMap((turn) => turn.user.map(({ text }) => text))).toEqual(["m0", "m1"]);
    expect(mine.wrapper().session_index).toEqual(["call m0", "call m1", "call t1"]);
  });

  it("leaves a head whose chain vouches for its own path", async () => {
    const store = createMemoryStore();
    const [mine, theirs] = await twoSessions(store);
    await stepWith(mine, "m0");
    await stepWith(theirs, "t1");
    await stepWith(mine, "m1");

    const prompts = await all(rebuildPrompts(store, "s", rendererFor));
    const reopened = await openSession({ store, layout: { policy: quietPolicy, renderer: openLog }, session: "s" });

    const chat = (await store.getMany(["chat:s"])).get("chat:s")?.document;
    expect(prompts.map(({ n }) => n)).toEqual([0, 2]);
    expect(chat).toMatchObject({ turn_count: 2, step_count: 2, toolcall_count: 2 });
    expect(reopened.chat().turn_count).toBe(2);
  });

  it("shows a file of the other one in the version that one saw, and its own file as it saw it itself", async () => {
    const store = createMemoryStore();
    const source = new MapSource();
    const [mine, theirs] = await twoSessions(store, source);
    source.files.set("/both", "old").set("/theirs", "theirs");
    await theirs.assemble();
    await theirs.record(reads("/both", "old", "t0"));
    await theirs.assemble();
    await theirs.record(reads("/theirs", "theirs", "t1"));
    source.files.set("/both", "new");

    await mine.assemble();
    await mine.record(reads("/both", "new", "m0"));

    const objects = await mine.objects();
    const texts = objects.filter(({ kind }) => kind === "file").map(({ path, text }) => [path, text]);
    expect(texts).toEqual([
      ["/both", "new"],
      ["/theirs", "theirs"],
    ]);
  });

  it("keeps its own version of a file that the other one saw later", async () => {
    const store = createMemoryStore();
    const source = new MapSource();
    const [mine, theirs] = await twoSessions(store, source);
    for (const [session, text] of [
      [mine, "old"],
      [theirs, "new"],
    ] as const) {
      source.files.set("/a", text);
      await session.assemble();
      await session.record(reads("/a", text, text));
    }

    source.files.set("/a", "old");

    await stepWith(mine, "m1");

    const [file] = (await mine.objects()).filter(({ kind }) => kind === "file");
    expect(file?.text).toBe("old");
  });

  it("keeps the system prompt that its request was made with", async () => {
    const store = createMemoryStore();
    const [mine, theirs] = await twoSessions(store);
    await theirs.assemble({ systemPrompt: "theirs" });
    await theirs.record(says("t0"));

    for (const text of ["m0", "m1"]) {
      await mine.assemble({ systemPrompt: "mine" });
      await mine.record(says(text));
    }
    await theirs.assemble();
    await theirs.record(says("t1"));

    const rebuilt = await Promise.all([0, 1, 2, 3].map((n) => mine.promptAt(n)));
    expect(rebuilt.map(({ prompt }) => prompt.system)).toEqual(["theirs", "mine", "mine", "theirs"]);
    expect(rebuilt.filter(({ hash, recordedHash }) => hash !== recordedHash)).toEqual([]);
  });

  it("gives up after a bounded number of attempts, and can be recorded later", async () => {
    const store = createMemoryStore();
    let isBeaten = true;
    const overtaken = intercepted(store, {
      async before(method, [, options]) {
        if (isBeaten && method === "commit" && options !== undefined) await overtakeOnce(store);
      },
    });
    const session = await openSession({
      store: overtaken,
      layout: { policy: quietPolicy, renderer: openLog },
      session: "s",
    });
    await session.assemble();

    await expect(session.record(says("late"))).rejects.toMatchObject({ code: "session/busy" });
    isBeaten = false;
    const { n } = await session.record(says("late"));

    expect(n).toBe(limits.commitAttemptsMax);
    expect(await session.promptAt(n)).toMatchObject({ complete: true });
  });
});

describe("merging", () => {
  const sets = (some: Partial<ViewSets>): ViewSets => ({ ...emptySets(), ...some });
  const ids = (...some: readonly string[]) => new Set(some);

  it("makes the index a union", () => {
    const changes = mergeChanges(
      sets({ index: ids("a") }),
      { index: { added: ["b"] } },
      sets({ index: ids("b", "c") }),
    );

    expect(changes).toEqual({ index: { added: ["c"] } });
  });

  it("takes over what the other one added to the pool and pinned", () => {
    const theirs = sets({ index: ids("a", "b"), pool: ids("a", "b"), pinned: ids("b") });

    const changes = mergeChanges(sets({ index: ids("a"), pool: ids("a") }), {}, theirs);

    expect(changes).toEqual({ index: { added: ["b"] }, pool: { added: ["b"] }, pinned: { added: ["b"] } });
  });

  it("takes over what the other one removed, but not where it never met the object", () => {
    const own = sets({ index: ids("a", "mine"), pool: ids("a", "mine") });

    const changes = mergeChanges(own, {}, sets({ index: ids("a") }));

    expect(changes).toEqual({ pool: { removed: ["a"] } });
  });

  it("applies its own removals to what the other one left as it was", () => {
    const all = { index: ids("a"), pool: ids("a"), pinned: ids("a") };

    const changes = mergeChanges(sets(all), { pool: { removed: ["a"] }, pinned: { removed: ["a"] } }, sets(all));

    expect(changes).toEqual({});
  });

  it("keeps in the pool what is active here or pinned there", () => {
    const own = sets({ index: ids("a", "b"), pool: ids("a", "b"), active: ids("a") });

    const changes = mergeChanges(
      own,
      { pool: { removed: ["b"] } },
      sets({ index: ids("a", "b"), pool: ids("b"), pinned: ids("b") }),
    );

    expect(changes).toEqual({ pool: { added: ["b"] }, pinned: { added: ["b"] } });
  });
});

async function playAll(play: Play, script: readonly Action[]): Promise<void> {
  for (const action of script) await play.do(action);
}

/** A store that lets others go first, a seeded number of times before and after each call. */
function dawdling(store: ObjectStore, random: Random): ObjectStore {
  const wait = async () => {
    for (let n = random.below(5); n > 0; n -= 1) await Promise.resolve();
  };
  return intercepted(store, { before: wait, after: wait });
}

async function twoSessions(store: ObjectStore, source = new MapSource()) {
  const options = {
    store,
    layout: { policy: quietPolicy, renderer: openLog },
    rendererFor,
    sources: [source],
    session: "s",
  };
  return [await openSession(options), await openSession(options)] as const;
}

async function stepWith(session: Awaited<ReturnType<typeof openSession>>, name: string) {
  await session.receive([user(name)]);
  await session.assemble();
  return session.record(runs(result(`call ${name}`, name)));
}

async function overtakeOnce(store: ObjectStore): Promise<void> {
  const faster = await openSession({ store, layout: { policy: quietPolicy, renderer: openLog }, session: "s" });
  await faster.assemble();
  await faster.record(says("faster"));
}

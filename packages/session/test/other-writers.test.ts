// Verifies: SSOT 3.8 "Other writers", F6: merging what was followed step by step gives what whole paths give.
import type { ViewSets } from "@cm/context-log";
import {
  createMemoryStore,
  type DocumentOf,
  type ObjectStore,
  type SetChanges,
  type StepAddress,
} from "@cm/object-model";
import type { Random } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { limits, openSession } from "../src/index.ts";
import { Contention } from "../src/steps/contention.ts";
import { loadPath, stateAfter } from "../src/steps/load-state.ts";
import { mergeChanges } from "../src/steps/merge.ts";
import { OtherWriters } from "../src/steps/other-writers.ts";
import { MapSource } from "./support/map-source.ts";
import { result, runs } from "./support/messages.ts";
import { Play } from "./support/play.ts";
import { quietPolicy } from "./support/policies.ts";
import { openLog, openSets } from "./support/renderers.ts";
import { randomScript } from "./support/script.ts";
import { forSeeds } from "./support/seeds.ts";
import { intercepted } from "./support/stores.ts";

const file = "test/other-writers.test.ts";

describe("a merge with a branch that was followed", () => {
  it("says what a merge with the whole path says", { timeout: 600_000 }, async () => {
    await forSeeds({ short: 25, long: 1_000, file }, async (random) => {
      const { store, path } = await playWriters(random);
      const [opened, ...rest] = path.slice(random.below(path.length));
      if (opened === undefined) return;
      const others = new OtherWriters("s", { head: addressOf(opened), nextStep: opened.n + 1 });
      let own = opened;
      for (const next of rest) {
        // The moment before our next step.
        const then = asOfStep(store, next.n - 1);
        const state = await stateAt(then, addressOf(own));
        const changes = randomChanges(state.sets, random);

        const { heads, merge } = await others.readMerge(await then, state, {});

        const { head } = heads.session;
        expect(head).toEqual({ session: "s", n: next.n - 1 });
        const theirs = await stateAt(then, head);
        const isOwn = head?.n === own.n;
        expect(merge === undefined).toBe(isOwn);
        if (merge !== undefined) {
          expect(sorted(merge.changesFor(changes))).toEqual(sorted(mergeChanges(state.sets, changes, theirs.sets)));
          const met = [...theirs.inSight].filter(([id]) => !state.objects.has(id));
          expect(merge.observed.map((seen) => [seen.file, seen.content_hash])).toEqual(
            met.map(([id, { contentHash }]) => [id, contentHash]),
          );
          for (const [id, { kind }] of theirs.objects) {
            expect(merge.knows(id)).toBe(true);
            if (!state.objects.has(id) && kind === "toolcall") expect(merge.objects.toolcall(id)?.["xt/id"]).toBe(id);
          }
        }
        own = next;
      }
    });
  });

  it("reads only the steps that came since, and documents that are new", async () => {
    const store = createMemoryStore();
    const source = new MapSource();
    const [mine, theirs] = [await Play.open(stage(store, source, 1)), await Play.open(stage(store, source, 2))];
    for (let n = 0; n < 30; n += 1) await stepOf(theirs, `before ${n}`);
    await stepOf(mine, "first");
    const asked: string[] = [];
    const watched = intercepted(store, {
      before: (method, [ids]) => {
        if (method === "getMany") asked.push(...(ids as readonly string[]));
      },
    });
    const others = new OtherWriters("s", { head: { session: "s", n: 30 }, nextStep: 31 });
    await stepOf(theirs, "since");
    const state = await stateAt(store, { session: "s", n: 30 });

    await others.readMerge(watched, state, {});
    asked.length = 0;
    await stepOf(theirs, "newest");
    await others.readMerge(watched, state, {});

    const steps = asked.filter((id) => id.startsWith("step:")).map((id) => Number(id.split(":")[2]));
    expect(Math.min(...steps)).toBe(32);
    expect(asked.filter((id) => id.startsWith("call"))).toEqual(["call newest"]);
  });
});

describe("an object that we hid and another writer still shows", () => {
  it("is back in the pool once that one has made a step", async () => {
    const store = createMemoryStore();
    const options = { store, layout: { policy: quietPolicy, renderer: openSets }, session: "s" };
    const [mine, theirs] = [await openSession(options), await openSession(options)];
    const step = async (session: typeof mine, name: string) => {
      await session.assemble();
      await session.record(runs(result(name, name)));
    };
    await step(mine, "shown");
    await step(theirs, "their first");
    await step(mine, "my second");
    await theirs.command({ action: "activate", id: "shown" });
    await mine.command({ action: "hide", id: "shown" });
    await step(mine, "my third");
    await step(theirs, "their second");
    const hidden = mine.wrapper().metadata_pool;

    await step(mine, "my fourth");

    expect(hidden).not.toContain("shown");
    expect(mine.wrapper().metadata_pool).toContain("shown");
  });
});

describe("the range of the pause", () => {
  it("is none for a writer alone, grows with every attempt that is lost, and ends with the others", () => {
    const contention = new Contention();
    const alone = contention.isNear;

    const ranges = [1, 2, 3].map(() => {
      contention.lost(40);
      return contention.rangeMs;
    });
    for (let step = 0; step < limits.nearSteps; step += 1) contention.won();

    expect(alone).toBe(false);
    expect(ranges).toEqual(ranges.toSorted((a, b) => a - b));
    expect(contention.isNear).toBe(false);
  });

  it("may be longer the more steps others made, within its bound", () => {
    const rangeAfter = (steps: number) => {
      const contention = new Contention();
      contention.saw(steps);
      for (let n = 0; n < 30; n += 1) contention.lost(10);
      return Math.round(contention.rangeMs);
    };

    expect([1, 10, 1_000_000].map(rangeAfter)).toEqual([40, 200, 2_000]);
  });
});

/** Some writers of one session, and the path of one of them. */
async function playWriters(random: Random) {
  const store = createMemoryStore();
  const source = new MapSource();
  const wait = async () => {
    for (let n = random.below(5); n > 0; n -= 1) await Promise.resolve();
  };
  const slow = intercepted(store, { before: wait, after: wait });
  const plays = await Promise.all(
    Array.from({ length: 3 }, (_, writer) => Play.open(stage(slow, source, random.below(1_000) + writer))),
  );
  await Promise.all(
    plays.map(async (play) => {
      for (const action of randomScript(random, 2 + random.below(6))) {
        await play.do(action);
        if (action.do === "record" && random.chance(0.2)) await play.reopen();
      }
    }),
  );
  const [play] = plays;
  const last = play?.steps.at(-1);
  const { steps } = await loadPath(store, last === undefined ? null : { session: "s", n: last.n });
  return { store, path: steps.flatMap(({ document }) => document ?? []) };
}

function stage(store: ObjectStore, source: MapSource, seed: number) {
  return { store, renderer: openLog, seed, source };
}

async function stepOf(play: Play, name: string): Promise<void> {
  const callId = `call ${name}`;
  const answer = { role: "assistant" as const, text: "", calls: [{ callId, tool: "bash", args: {} }] };
  await play.do({
    do: "record",
    record: { answer, results: [{ role: "tool", callId, text: name, failed: false }] },
  });
}

/** The store as it was when a step had just been written. */
async function asOfStep(store: ObjectStore, n: number): Promise<ObjectStore> {
  const basis = (await store.getMany([`step:s:${n}`])).get(`step:s:${n}`)?.basis;
  if (basis === undefined) throw new Error(`Step ${n} is missing.`);
  return { ...intercepted(store, {}), getMany: (ids, at) => store.getMany(ids, at ?? basis) };
}

async function stateAt(store: ObjectStore | Promise<ObjectStore>, address: StepAddress | null) {
  const path = await loadPath(await store, address);
  const settings = { prices: { read: 0, write: 0 }, headChars: 0, render: async () => undefined };
  return stateAfter(path, "s", settings);
}

function addressOf({ n }: Pick<DocumentOf<"step">, "n">): StepAddress {
  return { session: "s", n };
}

/** What a step of ours may do besides. */
function randomChanges({ pool, pinned }: ViewSets, random: Random): SetChanges {
  const some = (ids: ReadonlySet<string>) => [...ids].filter(() => random.chance(0.2));
  const unpinned = some(pinned);
  const hidden = some(pool).filter((id) => !pinned.has(id));
  const added = random.chance(0.5) ? ["new"] : [];
  return {
    ...(added.length > 0 ? { index: { added } } : {}),
    ...(added.length + hidden.length > 0 ? { pool: { added, removed: hidden } } : {}),
    ...(unpinned.length > 0 ? { pinned: { removed: unpinned } } : {}),
  };
}

function sorted(changes: SetChanges) {
  const names = ["index", "pool", "pinned"] as const;
  expect(Object.keys(changes).filter((name) => !names.some((known) => known === name))).toEqual([]);
  return names.map((name) => {
    const {
      added = [],
      removed = [],
    }: { added?: readonly string[] | undefined; removed?: readonly string[] | undefined } = changes[name] ?? {};
    return [name, added.toSorted(), removed.toSorted()];
  });
}

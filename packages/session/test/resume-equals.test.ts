// @module-tag long
// Verifies: SSOT 3.6, F15: a session that is paused and resumed elsewhere goes on as one that never stopped.
import type { Renderer } from "@cm/context-log";
import { createMemoryStore, isDocumentOf, type ObjectStore, payloadOf, type Source } from "@cm/object-model";
import type { Random } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { rebuildPrompts } from "../src/index.ts";
import { all } from "./support/all.ts";
import { openSqliteFile } from "./support/both-stores.ts";
import { MovedSource } from "./support/moved-source.ts";
import { Play } from "./support/play.ts";
import { restlessPolicy, steadyPolicy } from "./support/policies.ts";
import { openLog, openSets, rendererFor } from "./support/renderers.ts";
import { type Action, randomOutsideAction, randomScript } from "./support/script.ts";
import { forSeeds } from "./support/seeds.ts";
import { snapshot } from "./support/snapshot.ts";

const file = "test/resume-equals.test.ts";
const renderers = [openLog, openSets];

describe("a random session that is paused, resumed elsewhere and continued", () => {
  it("equals an uninterrupted one that was told of the same cold caches", async () => {
    await forSeeds({ short: 10, long: 1_000, file }, async (random, seed) => {
      const policy = restlessPolicy(seed);
      const { whole, paused } = await playBoth(random, { seed, policy, tellResumed: false, renderer: pick(seed) });

      expect(snapshot(paused.session)).toEqual(snapshot(whole.session));
      expect(paused.steps).toEqual(whole.steps);
      expect(await versionsIn(paused.stage.store)).toEqual(await versionsIn(whole.stage.store));
    });
  });

  it("equals it in a SQLite file, too", async () => {
    await forSeeds({ short: 2, long: 100, file }, async (random, seed) => {
      const stage = { seed, policy: restlessPolicy(seed), tellResumed: false, renderer: pick(seed) };
      const { whole, paused } = await playBoth(random, stage, () => openSqliteFile().store);

      expect(snapshot(paused.session)).toEqual(snapshot(whole.session));
      expect(await versionsIn(paused.stage.store)).toEqual(await versionsIn(whole.stage.store));
    });
  });

  it("equals it in all that being told of it does not touch", async () => {
    await forSeeds({ short: 10, long: 1_000, file }, async (random, seed) => {
      const policy = steadyPolicy(seed);
      const { whole, paused } = await playBoth(random, { seed, policy, tellResumed: true, renderer: pick(seed) });

      expect(withoutPlaces(paused)).toEqual(withoutPlaces(whole));
      const sorted = async ({ stage }: Play) => [...(await versionsIn(stage.store)).values()].sort();
      expect(await sorted(paused)).toEqual(await sorted(whole));
      const rebuilt = await all(rebuildPrompts(paused.stage.store, "s", rendererFor));
      expect(rebuilt.map(({ prompt }) => prompt)).toEqual(paused.steps.map(({ prompt }) => prompt));
      expect(rebuilt.filter(({ hash, recordedHash, complete }) => hash !== recordedHash || !complete)).toEqual([]);
    });
  });
});

const pick = (seed: number): Renderer => renderers[seed % renderers.length] ?? openLog;

/** The same script twice: once in one client, once in one client after the other. Files change for both at once. */
async function playBoth(random: Random, stage: Omit<Play["stage"], "store">, aStore = aMemoryStore) {
  const [whole, paused] = [
    await Play.open({ ...stage, store: aStore() }),
    await Play.open({ ...stage, store: aStore() }),
  ];
  const both = async (action: Action) => {
    await whole.do(action);
    await paused.do(action);
  };
  let moves = 0;
  for (const action of randomScript(random, 2 + random.below(10))) {
    // A resumed session shows today's paths at once, an open one as it meets its files: `moved-paths.test.ts`.
    if (action.do === "mount") continue;
    await both(action);
    if (!random.chance(0.15)) continue;
    await paused.session.close();
    await whole.session.receive([]);
    for (let changes = random.below(4); changes > 0; changes -= 1) await both(randomOutsideAction(random));
    moves += 1;
    await paused.resume(new MovedSource(paused.source, `/client/${moves}`) as Source);
    await whole.look();
    whole.cache = paused.cache = "cold";
  }
  return { whole, paused };
}

const aMemoryStore = (): ObjectStore => createMemoryStore({ now: () => 1_700_000_000_000 });

/** By alias, since the ids of calls that collide tell places in the log; without the entry and what counts characters. */
function withoutPlaces({ session }: Play) {
  const { objects, sets, log, step, turn, systemPrompt } = session.view();
  const aliasOf = (id: string) => objects.get(id)?.alias ?? id;
  return {
    objects: [...objects.values()].map(({ id: _id, ...object }) => JSON.stringify(object)),
    index: [...sets.index].map(aliasOf),
    sets: Object.entries(sets).map(([name, set]) => [name, [...set].map(aliasOf).sort()]),
    log: log
      .filter((entry) => "text" in entry || entry.kind === "omitted")
      .map((entry) =>
        entry.kind === "omitted"
          ? [entry]
          : "object" in entry
            ? [entry.kind, entry.step, entry.turn, entry.text, aliasOf(entry.object)]
            : [entry.kind, entry.step, entry.turn, entry.text],
      ),
    turns: session.chat().turn_count,
    step,
    turn,
    systemPrompt,
  };
}

/** What every version of files and tool calls says, oldest last. Where a file came from is a hint of one process. */
async function versionsIn(store: ObjectStore): Promise<ReadonlyMap<string, string>> {
  const versions = new Map<string, string>();
  for (const type of ["file", "toolcall"]) {
    for (let cursor: string | undefined, isLast = false; !isLast; ) {
      const page = await store.find({ type }, cursor === undefined ? {} : { cursor });
      for (const { id } of page.versions) versions.set(id, await saidBy(store, id));
      cursor = page.next;
      isLast = cursor === undefined;
    }
  }
  return versions;
}

async function saidBy(store: ObjectStore, id: string): Promise<string> {
  const { versions } = await store.history(id, { documents: true });
  return JSON.stringify(
    versions.map(({ document }) => {
      if (document === undefined) return undefined;
      const { moved_from: _movedFrom, ...payload } = payloadOf(document);
      return isDocumentOf(document, "file") ? [document.source, payload] : payload;
    }),
  );
}

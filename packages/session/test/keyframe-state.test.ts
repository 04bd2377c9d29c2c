// @module-tag long
// Verifies: SSOT 3.6, decision 0089, F16: a session that is opened from a keyframe is the one that its steps make.
import type { LogState } from "@cm/context-log/state";
import { createMemoryStore, type ObjectStore, type StepAddress } from "@cm/object-model";
import { loadPath, loadRecent, logAfter, readPath } from "@cm/step-log/load";
import { describe, expect, it } from "vitest";
import { forkSession, type Session } from "../src/index.ts";
import { Play } from "./support/play.ts";
import { openLog, openSets, rendererFor } from "./support/renderers.ts";
import { randomOutsideAction, randomScript } from "./support/script.ts";
import { forSeeds } from "./support/seeds.ts";

const file = "test/keyframe-state.test.ts";
const settings = { prices: { read: 0.1, write: 1.25 }, headChars: 1_000 };

describe.each([openLog, openSets])("a random session under $layout", (renderer) => {
  it("is at every step the same from a keyframe as from its first step", async () => {
    let fromKeyframes = 0;
    await forSeeds({ short: 6, long: 2_000, file }, async (random, seed) => {
      const store = fixedStore();
      const play = await Play.open({ store, renderer, seed, tellResumed: random.chance(0.5) });
      for (const action of randomScript(random, 12 + random.below(20))) {
        await play.do(action);
        if (random.chance(0.05)) await amendOne(play.session, random.below(100));
        if (!random.chance(0.05)) continue;
        await play.session.close();
        if (random.chance(0.7)) await play.do(randomOutsideAction(random));
        await play.reopen();
      }
      const last = play.steps.at(-1)?.n ?? 0;
      if (random.chance(0.3)) await eraseSome(store, last, random.below(1_000));

      for (let n = 0; n <= last; n += 1) fromKeyframes += await compared(store, { session: "s", n });
      const from = { session: "s", n: random.below(last + 1) };
      await forkSession(store, from, { session: "fork" });
      const fork = await Play.goOn({ store, renderer, seed, session: "fork", source: play.source });
      for (const action of randomScript(random, 8)) await fork.do(action);
      const forked = fork.steps.at(-1)?.n ?? 0;
      for (let n = 0; n <= forked; n += 1) fromKeyframes += await compared(store, { session: "fork", n });
    });
    expect(fromKeyframes).toBeGreaterThan(100);
  });
});

/** Whether a keyframe was of use. */
async function compared(store: ObjectStore, to: StepAddress): Promise<number> {
  const render = async ({ layout, view, decision }: Parameters<Parameters<typeof logAfter>[2]["render"]>[0]) =>
    rendererFor(layout)?.render(view, decision);
  const recent = await loadRecent(store, to, { session: to.session, ...settings });
  const whole = await loadPath(store, to);

  const { state: quick } = await logAfter(recent, to.session, { ...settings, render });
  const { state: slow } = await logAfter(whole, to.session, { ...settings, render });

  expect(known(quick)).toEqual(known(slow));
  return recent.from === undefined ? 0 : 1;
}

/** All of a state, with texts. The order of sets is their history, but for the index and what is idle. */
function known(state: LogState) {
  // What the next keyframe builds on, and tells of.
  const { keyframe: _keyframe, requests: _requests, index: _index, aliases, openCalls, objects, sets, ...rest } = state;
  const { forms, formedAt, shown, seenAt, inSight, amendedAt, origins, recorded } = rest;
  const sorted = (map: ReadonlyMap<unknown, unknown>) => [...map].sort(([a], [b]) => (`${a}` < `${b}` ? -1 : 1));
  const { index, ...others } = sets;
  const names = [...objects.values()].map(({ alias }) => alias);
  return {
    ...rest,
    ...{ forms: sorted(forms), formedAt: sorted(formedAt), shown: sorted(shown), seenAt: sorted(seenAt) },
    ...{ inSight: sorted(inSight), amendedAt: sorted(amendedAt), origins: sorted(origins), recorded: sorted(recorded) },
    idle: [...state.idle],
    // JSON of them shows their order.
    ledger: JSON.stringify(rest.ledger),
    index: [...index],
    sets: Object.entries(others).map(([name, ids]) => [name, [...ids].sort()]),
    objects: [...objects].map(([id, object]) => [id, { ...object }]),
    aliases: names.map((alias) => aliases.resolve(alias)),
    waiting: [...openCalls.all],
    answered: [...objects.keys()].map((object) => openCalls.callOf({ callId: "none", object })),
  };
}

async function amendOne(session: Session, number: number): Promise<void> {
  const { log } = session.view();
  const entry = log[number % Math.max(1, log.length)];
  if (entry?.kind === "result" && entry.text !== null)
    await session.amend([{ at: entry.at, text: `${entry.text} pruned` }]);
  else if (entry?.kind === "user") await session.amend([{ at: entry.at, text: `said otherwise ${number}` }]);
}

async function eraseSome(store: ObjectStore, last: number, number: number): Promise<void> {
  const path = await readPath(store, { session: "s", n: last });
  const step = path[number % path.length];
  const ids = step?.document?.messages.flatMap((message) => (message.role === "tool" ? [message.object] : [])) ?? [];
  const erased = number % 3 === 0 ? [`step:s:${step?.address.n}`] : ids;
  if (erased.length > 0) await store.erase(erased, "a test");
}

const fixedStore = (): ObjectStore => createMemoryStore({ now: () => 1_700_000_000_000 });

// Verifies: SSOT 3.7, 3.12: random walks through a session's steps, held against a model and against forks.
import type { Renderer } from "@cm/context-log";
import { createMemoryStore, type ObjectStore } from "@cm/object-model";
import type { Random } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { forkSession, openSession, rebuildPrompt, returnToStep, type Session, sessionAt } from "../src/index.ts";
import { verifyStore } from "../src/verify.ts";
import { all } from "./support/all.ts";
import { result, runs, user } from "./support/messages.ts";
import { Play } from "./support/play.ts";
import { quietPolicy } from "./support/policies.ts";
import { openLog, openSets, rendererFor } from "./support/renderers.ts";
import { type Action, randomScript } from "./support/script.ts";
import { forSeeds } from "./support/seeds.ts";
import { copyOf, onSide, withPlainCalls } from "./support/sides.ts";
import { snapshot } from "./support/snapshot.ts";

const file = "test/return-walks.test.ts";

/** A step of the model: what was said on the way to it, and which of the calls are pinned. */
interface Said {
  readonly texts: readonly string[];
  readonly pinned: ReadonlySet<string>;
}

describe("a random walk of steps and returns", () => {
  it("is what a tree of prompts says it is", async () => {
    await forSeeds({ short: 8, long: 2_000, file }, async (random) => {
      const store = createMemoryStore();
      const steps: Said[] = [];
      let at: Said = { texts: [], pinned: new Set() };
      let session = await openPlain(store);
      for (let turn = 0; turn < 4 + random.below(16); turn += 1) {
        if (random.chance(0.4)) {
          const n = random.below(steps.length + 1) - 1;
          await session.abandon();
          await returnToStep(store, { session: "s", n: n < 0 ? null : n });
          session = await openPlain(store);
          at = steps[n] ?? { texts: [], pinned: new Set() };
        } else {
          at = await oneStep(session, at, { random, name: `${steps.length}` });
          expect(at.texts.length).toBeGreaterThan(0);
          steps.push(at);
        }
        expect(saidIn(session)).toEqual(at);
      }
      for (const [n, said] of steps.entries()) {
        const { chat, wrapper } = await sessionAt(store, { session: "s", n });
        expect(chat.turns.flatMap((one) => one.user.map(({ text }) => text))).toEqual(said.texts);
        expect(new Set(wrapper.pinned_set)).toEqual(said.pinned);
      }
      expect(await all(verifyStore(store))).toEqual([]);
    });
  });
});

describe.each([openLog, openSets])("a random session that went back under $layout", (renderer) => {
  it("goes on as a fork of that step would, and keeps every step", async () => {
    await forSeeds({ short: 8, long: 2_000, file }, async (random, seed) => {
      const first = randomScript(random, 1 + random.below(8));
      const place = random.below(100);
      const then = withPlainCalls(onSide("x", randomScript(random, 3)));
      const stage = { renderer: { ...renderer, render: namelessly(renderer) }, seed };

      const [back, fork] = [await wentBack(stage, first, place), await forked(stage, first, place)];
      const opened = [withoutName(back), withoutName(fork)];
      for (const action of then) {
        await back.do(action);
        await fork.do(action);
      }

      expect(opened[0]).toEqual(opened[1]);
      expect(withoutName(back)).toEqual(withoutName(fork));
      const { store, renderer: nameless } = back.stage;
      for (const { n, prompt } of back.steps) {
        const rebuilt = await rebuildPrompt(store, { session: "s", n }, () => nameless);
        expect([rebuilt.prompt.messages, rebuilt.hash]).toEqual([prompt.messages, rebuilt.recordedHash]);
      }
      expect(await all(verifyStore(store))).toEqual([]);
    });
  });
});

async function oneStep(
  session: Session,
  { texts, pinned }: Said,
  { random, name }: { readonly random: Random; readonly name: string },
): Promise<Said> {
  const pins = new Set(pinned);
  const id = random.chance(0.5) ? session.wrapper().session_index.at(-1) : undefined;
  if (id !== undefined) {
    const action = pins.has(id) ? "unpin" : "pin";
    await session.command({ action, id });
    if (action === "pin") pins.add(id);
    else pins.delete(id);
  }
  await session.receive([user(`prompt ${name}`)]);
  await session.assemble();
  const { n } = await session.record(runs(result(`call ${name}`, `output ${name}`)));
  expect(`${n}`).toBe(name);
  return { texts: [...texts, `prompt ${name}`], pinned: pins };
}

function saidIn(session: Session): Said {
  const texts = session.chat().turns.flatMap((one) => one.user.map(({ text }) => text));
  return { texts, pinned: new Set(session.wrapper().pinned_set) };
}

const openPlain = (store: ObjectStore) =>
  openSession({
    store,
    layout: { policy: quietPolicy, renderer: openLog },
    rendererFor,
    session: "s",
    keyframeEverySteps: 3,
  });

interface Stage {
  readonly renderer: Renderer;
  readonly seed: number;
}

async function begun(stage: Stage, script: readonly Action[], place: number) {
  const store = createMemoryStore({ now: () => 1_700_000_000_000 });
  const play = await Play.open({ ...stage, store });
  for (const action of script) await play.do(action);
  await play.session.abandon();
  return { store, play, n: play.steps[place % play.steps.length]?.n ?? 0 };
}

async function wentBack(stage: Stage, script: readonly Action[], place: number): Promise<Play> {
  const { store, play, n } = await begun(stage, script, place);
  await returnToStep(store, { session: "s", n }, { owner: "play" });
  await play.reopen();
  return play;
}

async function forked(stage: Stage, script: readonly Action[], place: number): Promise<Play> {
  const { store, play, n } = await begun(stage, script, place);
  await forkSession(store, { session: "s", n }, { session: "fork" });
  return Play.goOn({ ...stage, store, session: "fork", source: copyOf(play.source) });
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

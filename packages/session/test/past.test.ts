// @module-tag long
// Verifies: SSOT 3.7, decision 0092: the past of a session, read once, is what the store says of each request.
import { defaultPrices, type RebuiltPrompt } from "@cm/context-log";
import { createMemoryStore, type ObjectStore, stepId } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { eraseObjects, forkSession, openSession, rebuildPrompt, returnToStep, sessionAt } from "../src/index.ts";
import { openPast, type Past, type PastRequest, type RequestSummary, requestsOf } from "../src/past.ts";
import { all } from "./support/all.ts";
import { MapSource } from "./support/map-source.ts";
import { reads, says, user } from "./support/messages.ts";
import { Play } from "./support/play.ts";
import { decides, quietPolicy } from "./support/policies.ts";
import { openLog, openSets, rendererFor } from "./support/renderers.ts";
import { randomScript } from "./support/script.ts";
import { forSeeds } from "./support/seeds.ts";
import { intercepted } from "./support/stores.ts";

const file = "test/past.test.ts";
const fixedStore = (): ObjectStore => createMemoryStore({ now: () => 1_700_000_000_000 });

describe.each([openLog, openSets])("the past of a random session under $layout", (renderer) => {
  it("has every prompt as the store rebuilds it, forks, returns and erasures included", async () => {
    await forSeeds({ short: 5, long: 2_000, file }, async (random, seed) => {
      const store = fixedStore();
      const play = await Play.open({ store, renderer, seed });
      for (const action of randomScript(random, 2 + random.below(12))) await play.do(action);
      await play.session.abandon();
      const at = random.pick(play.steps).n;
      if (random.chance(0.4)) await returnToStep(store, { session: "s", n: at });
      await forkSession(store, { session: "s", n: at }, { session: "fork" });
      const fork = await Play.goOn({ store, renderer, seed, session: "fork", source: play.source });
      for (const action of randomScript(random, 1 + random.below(4))) await fork.do(action);
      await fork.session.abandon();
      const erased = random.pick(play.steps).n;
      if (random.chance(0.3)) await store.erase([stepId({ session: "s", n: erased })], "a leaked key");
      else if (random.chance(0.4)) await eraseWhatWasSaid(store, erased);

      for (const session of ["s", "fork"]) {
        // So little room that most messages are let go, now and then.
        const past = await openPast(store, session, rendererFor, random.chance(0.3) ? { bytesMax: 4_000 } : {});

        await expectPrompts(store, past);
        expect(await all(requestsOf(store, session)).then(withoutPlain)).toEqual(withoutPlain(past.requests()));
      }
    });
  });

  it("says what each request cost, whichever way it is asked", async () => {
    await forSeeds({ short: 5, long: 2_000, file }, async (random, seed) => {
      const store = fixedStore();
      const play = await Play.open({ store, renderer, seed });
      for (const action of randomScript(random, 2 + random.below(24))) await play.do(action);
      const { ledger } = play.session.view();

      const past = await openPast(store, "s", rendererFor);
      const requests = past.requests() as readonly RequestSummary[];
      const [from, to] = [random.below(6), random.below(26)];

      expect(await all(requestsOf(store, "s"))).toEqual(requests);
      expect(await all(requestsOf(store, "s", { order: "newest" }))).toEqual([...requests].reverse());
      expect(await all(requestsOf(store, "s", { from, to }))).toEqual(requests.slice(from, to));
      const head = requests.reduce((sum, { cache, n }) => sum + headBilled(cache === "cold" || n === 0), 0);
      expect(sum(requests, ({ billed }) => billed) + head).toBeCloseTo(ledger.billed, 3);
      expect(sum(requests, ({ plainBilled }) => plainBilled) + head).toBeCloseTo(ledger.plainBilled, 3);
      expect(requests.at(-1)?.plainChars).toBe(ledger.plainChars);
      expect(requests.map(({ chars }) => chars)).toEqual(play.steps.map(({ prompt }) => prompt.chars));
    });
  });

  it("follows a session that goes on and goes back", async () => {
    await forSeeds({ short: 5, long: 2_000, file }, async (random, seed) => {
      const store = fixedStore();
      let play = await Play.open({ store, renderer, seed });
      const past = await openPast(store, "s", rendererFor);
      for (let round = 0; round < 4; round += 1) {
        for (const action of randomScript(random, 1 + random.below(7))) await play.do(action);
        if (random.chance(0.4)) {
          await play.session.abandon();
          await returnToStep(store, { session: "s", n: random.chance(0.2) ? null : random.pick(play.steps).n });
          play = await Play.goOn(play.stage);
        }
        const before = past.length;

        const { kept, added } = await past.extend();

        const anew = await openPast(store, "s", rendererFor);
        expect(kept).toBeLessThanOrEqual(before);
        expect(kept + added).toBe(anew.length);
        expect(past.requests()).toEqual(anew.requests());
        await expectPrompts(store, past);
      }
    });
  });
});

const headBilled = (isCold: boolean): number => 1_000 * (isCold ? defaultPrices.write : defaultPrices.read);

const sum = (requests: readonly RequestSummary[], of: (request: RequestSummary) => number): number =>
  requests.reduce((total, request) => total + of(request), 0);

/** A text that was erased counts in keyframes of before, and not where it is counted again. */
const withoutPlain = (requests: readonly PastRequest[]) =>
  requests.map((request) => ({ ...request, plainChars: 0, plainBilled: 0 }));

/** Of a step in which nothing was said there is nothing to erase. */
async function eraseWhatWasSaid(store: ObjectStore, n: number): Promise<void> {
  try {
    await eraseObjects(store, [stepId({ session: "s", n })], "a leaked key");
  } catch (error) {
    if ((error as { code?: string }).code !== "session/unknown-object") throw error;
  }
}

async function expectPrompts(store: ObjectStore, past: Past): Promise<void> {
  for (const { n, step } of past.requests()) {
    const told = await outcome(() => past.promptAt(n));
    const rebuilt = await outcome(() => rebuildPrompt(store, step, rendererFor));
    // Where all steps up to one were erased, a later one alone tells the layout, and the path to the step has none.
    if (rebuilt === "session/unknown-layout" && told !== rebuilt)
      expect(told).toMatchObject({ recordedHash: "", complete: false });
    else expect(told).toEqual(rebuilt);
  }
}

/** A prompt, or the code of why there is none: erased steps may leave nothing that tells their layout. */
async function outcome(ask: () => Promise<RebuiltPrompt>): Promise<unknown> {
  try {
    return await ask();
  } catch (error) {
    return (error as { code?: string }).code;
  }
}

describe("a past", () => {
  it("tells what was folded, brought back and left out, without a text", async () => {
    const store = fixedStore();
    const open = (policy = quietPolicy) =>
      openSession({ store, layout: { policy, renderer: openLog }, session: "s", sources: [new MapSource()] });
    let session = await open();
    await session.receive([user("A secret word.")]);
    await session.assemble();
    await session.record(reads("/a", "a long text"));
    await session.abandon();
    const reasons = { "output was read": ["2"], "agent let go": ["2"] };
    session = await open(decides({ forms: { "2": { form: "reference" } }, fold: { cut: 2, reason: "rent" }, reasons }));
    await session.assemble();
    await session.record({
      ...says("done"),
      usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
    });

    const [first, second] = await all(requestsOf(store, "s"));

    expect(first).toMatchObject({ n: 0, step: { session: "s", n: 0 }, fold: undefined, calls: 1, reasons: {} });
    expect(second).toMatchObject({
      fold: { cut: 2, cause: "rent", parts: 1 },
      reasons: { "output was read": 1, "agent let go": 1 },
      usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
    });
    expect(JSON.stringify([first, second])).not.toMatch(/secret|long text/);
  });

  it("counts what others made of messages, before and after", async () => {
    const store = fixedStore();
    const layout = { policy: quietPolicy, renderer: openLog };
    const session = await openSession({ store, layout, session: "s", keyframeEverySteps: 4 });
    for (let n = 0; n < 12; n += 1) {
      await session.receive([user(`prompt ${n}`)]);
      if (n === 5 || n === 9) await session.amend([{ at: 0, text: `prompt 0, ${"longer ".repeat(n)}` }]);
      await session.assemble();
      await session.record(says(`answer ${n}`));
    }
    const { plainChars } = session.view().ledger;

    const requests = await all(requestsOf(store, "s"));

    expect(requests).toEqual((await openPast(store, "s", rendererFor)).requests());
    expect(requests.at(-1)).toMatchObject({ plainChars, amended: 0 });
    expect(requests.flatMap((request) => ("amended" in request && request.amended > 0 ? [request.n] : []))).toEqual([
      5, 9,
    ]);
  });

  it("is frozen, refuses what is not there, and ends when it is closed", async () => {
    const { store } = await longSession(3);
    const past = await openPast(store, "s", rendererFor);
    const { prompt } = await past.promptAt(1);

    expect(
      [past.requests(), past.requests()[0], prompt, prompt.messages, prompt.messages[0]].every(Object.isFrozen),
    ).toBe(true);
    await expect(past.promptAt(3)).rejects.toMatchObject({ code: "session/not-found" });
    expect(() => past.requests(-1)).toThrow(expect.objectContaining({ code: "session/invalid-input" }));
    expect((await past.sessionAt(1)).chat).toEqual((await sessionAt(store, { session: "s", n: 1 })).chat);
    expect((await past.objectAt(1, "t1"))?.type).toBe("toolcall");
    past.close();
    await expect(past.promptAt(1)).rejects.toMatchObject({ code: "session/closed" });
    await expect(past.extend()).rejects.toMatchObject({ code: "session/closed" });
    await expect(openPast(store, "nobody", rendererFor)).rejects.toMatchObject({ code: "session/not-found" });
    await expect(all(requestsOf(store, { session: "s", n: 9 }))).rejects.toMatchObject({ code: "session/not-found" });
  });

  it("keeps messages up to its bound, each of them once", async () => {
    const { store } = await longSession(150);
    const { counted, ids } = counting(store);
    const past = await openPast(counted, "s", rendererFor);
    const read = ids();

    for (let n = 0; n < 150; n += 1) await past.promptAt(n);

    expect(ids()).toBe(read);
  });

  it("gives the newest requests first, without reading those before", async () => {
    const { store } = await longSession(400);
    const { counted, ids } = counting(store);

    const newest: PastRequest[] = [];
    for await (const request of requestsOf(counted, "s", { order: "newest" })) if (newest.push(request) === 20) break;

    expect(newest.map(({ n }) => n)).toEqual(Array.from({ length: 20 }, (_, place) => 399 - place));
    // The steps since the newest keyframe with their calls, and what was read along with them.
    expect(ids()).toBeLessThan(500);
    expect(await all(requestsOf(store, { session: "s", n: 399 }, { from: 380, order: "newest" }))).toEqual(newest);
  });
});

async function longSession(steps: number): Promise<{ readonly store: ObjectStore }> {
  const store = fixedStore();
  const layout = { policy: quietPolicy, renderer: openLog };
  const session = await openSession({ store, layout, session: "s", sources: [new MapSource()] });
  for (let n = 0; n < steps; n += 1) {
    await session.assemble();
    await session.record(reads("/a", `text ${n}`, `call_${n}`));
  }
  await session.abandon();
  return { store };
}

/** A store that counts the ids that are asked for. */
function counting(store: ObjectStore): { readonly counted: ObjectStore; ids(): number } {
  let ids = 0;
  const counted = intercepted(store, {
    before: (method, args) => {
      ids += method === "getMany" ? (args[0] as readonly string[]).length : 1;
    },
  });
  return { counted, ids: () => ids };
}

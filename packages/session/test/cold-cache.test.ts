// Verifies: SSOT 4.4 (4), 4.6: when the provider's cache is cold, what a request is billed then, and that a step says so.
import type { AssembleOptions, Prices, RenderedPrompt, StepRecord } from "@cm/context-log";
import { createMemoryStore, type DocumentOf, isDocumentOf, type ObjectStore } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { openSession, rebuildPrompts, type Session } from "../src/index.ts";
import { all } from "./support/all.ts";
import { result, runs, says, user } from "./support/messages.ts";
import { restlessPolicy } from "./support/policies.ts";
import { openLog, rendererFor } from "./support/renderers.ts";
import { forSeeds } from "./support/seeds.ts";
import { snapshot } from "./support/snapshot.ts";

const minutes = 60_000;
const prices: Prices = { read: 0.1, write: 1.25, lifetimeMs: 5 * minutes };
const marking: Prices = { ...prices, breakpointsMax: 4, lookbackBlocks: 20 };

describe("the provider's cache", () => {
  it("is cold after a pause longer than its lifetime, and not before", async () => {
    const { clock, session } = await openAt();
    await step(session);
    clock.ms += 5 * minutes;
    const atTheEnd = await step(session);
    clock.ms += 5 * minutes + 1;
    const past = await step(session);

    expect([atTheEnd, past]).toEqual(["warm", "cold"]);
  });

  it("is cold after a call that ran longer than it lives, although the step was recorded just now", async () => {
    const { clock, session } = await openAt();
    await session.assemble();
    clock.ms += 6 * minutes;
    await session.record(says("done at last"));

    expect(await step(session)).toBe("cold");
  });

  it("is cold when the session is resumed after a longer pause, by the time that was stored", async () => {
    const store = createMemoryStore();
    const { clock, session } = await openAt({ store });
    await step(session);
    await session.close();
    clock.ms += 6 * minutes;

    const resumed = await openAt({ store, clock });

    expect(await step(resumed.session)).toBe("cold");
    expect(await step(resumed.session)).toBe("warm");
  });

  it("is cold for another model than the one that answered last", async () => {
    const { session } = await openAt({ prices: { read: 0.1, write: 1.25 } });
    const first = await step(session, { model: "a" }, "a");
    const same = await step(session, { model: "a" }, "b");
    const other = await step(session, { model: "a" });
    const unknown = await step(session, { model: "a" });

    expect([first, same, other, unknown]).toEqual(["warm", "warm", "cold", "warm"]);
  });

  it.each(["warm", "cold"] as const)("is %s where the harness says so", async (cache) => {
    const { clock, session } = await openAt();
    await step(session, {}, "a");
    clock.ms += cache === "warm" ? 6 * minutes : 0;

    expect(await step(session, { cache, model: cache === "warm" ? "b" : "a" })).toBe(cache);
  });

  it("is never thought cold for the time alone where no lifetime is given", async () => {
    const store = createMemoryStore();
    const { clock, session } = await openAt({ store, prices: { read: 0.1, write: 1.25 } });
    await step(session);
    clock.ms += 1_000 * minutes;

    expect(await step(session)).toBe("warm");
    expect(Object.keys(await stored(store, 1))).not.toContain("requested_at");
  });
});

describe("a request that is asked for again", () => {
  it("is the same, however long that takes, and keeps the cache alive", async () => {
    const { clock, session } = await openAt();
    await step(session);
    clock.ms += 4 * minutes;
    const first = await session.assemble();
    clock.ms += 4 * minutes;
    const again = await session.assemble();
    await session.record(says("done"));
    clock.ms += 4 * minutes;

    expect(again).toBe(first);
    expect(await step(session)).toBe("warm");
  });
});

describe("the ledger", () => {
  it("bills a cold request as new, and the plain log's as well", async () => {
    const { session } = await openAt();
    await step(session);
    await session.receive([user("0123456789")]);
    const before = session.view().ledger;
    const { chars } = await session.assemble({ cache: "cold" });
    await session.record(says("done"));

    const { billed, plainBilled, plainChars } = session.view().ledger;

    expect(billed - before.billed).toBeCloseTo(1.25 * (chars + 1_000), 6);
    expect(plainBilled - before.plainBilled).toBeCloseTo(1.25 * (plainChars + 1_000), 6);
  });

  it("bills what the marks of the request before can serve, where the provider caches only there", async () => {
    const store = createMemoryStore();
    const { session } = await openAt({ store, prices: marking });
    for (let steps = 0; steps < 4; steps += 1) {
      await session.receive([user(`step ${steps}`)]);
      await step(session);
    }
    const before = session.view().ledger;
    const { breakpoints } = await session.assemble();
    await session.record(says("done"));

    const { billed } = session.view().ledger;
    const { prompt_chars, kept_chars, served_chars = -1, ...written } = await stored(store, 4);

    expect(written.breakpoints).toEqual(breakpoints);
    expect(served_chars).toBeGreaterThan(0);
    expect(served_chars).toBeLessThan(kept_chars);
    expect(billed - before.billed).toBeCloseTo(0.1 * (served_chars + 1_000) + 1.25 * (prompt_chars - served_chars), 6);
  });
});

describe("a random session with pauses of any length", () => {
  it.each([
    ["finds prefixes", prices],
    ["caches at marks", marking],
  ])("is what it would be in one client, where the provider %s", async (_, usedPrices) => {
    await forSeeds({ short: 4, long: 200, file: "test/cold-cache.test.ts" }, async (random, seed) => {
      const clock = { ms: 1_700_000_000_000 };
      const stage = { clock, prices: usedPrices, seed };
      const whole = await openAt({ ...stage, store: createMemoryStore() });
      const store = createMemoryStore();
      let { session } = await openAt({ ...stage, store });
      const prompts: RenderedPrompt[] = [];
      for (let steps = 2 + random.below(8); steps > 0; steps -= 1) {
        const record = recordOf(`c${steps}`, random.pick(["a", "b"]));
        const options = random.chance(0.5) ? { model: "a" } : {};
        for (const one of [whole.session, session]) {
          await one.receive([user(`step ${steps}`)]);
          const prompt = await one.assemble(options);
          if (one === session) prompts.push(prompt);
          await one.record(record);
        }
        clock.ms += random.below(10) * minutes;
        if (random.chance(0.5)) {
          await session.abandon();
          session = (await openAt({ ...stage, store })).session;
        }
      }

      expect(snapshot(session)).toEqual(snapshot(whole.session));
      const rebuilt = await all(rebuildPrompts(store, "s", rendererFor));
      expect(rebuilt.map(({ prompt }) => prompt)).toEqual(prompts);
    });
  });
});

interface Stage {
  readonly store?: ObjectStore;
  readonly clock?: { ms: number };
  readonly prices?: Prices;
  readonly seed?: number;
}

async function openAt({
  store = createMemoryStore(),
  clock = { ms: 1_700_000_000_000 },
  prices: usedPrices = prices,
  seed = 1,
}: Stage = {}) {
  const session = await openSession({
    ...{ store, prices: usedPrices, rendererFor, session: "s", headChars: 1_000, owner: "test", tellResumed: false },
    layout: { policy: restlessPolicy(seed), renderer: openLog },
    now: () => clock.ms,
  });
  return { clock, session };
}

async function stored(store: ObjectStore, n: number): Promise<DocumentOf<"step">> {
  const found = await store.getMany([`step:s:${n}`]);
  const document = found.get(`step:s:${n}`)?.document;
  if (document === undefined || !isDocumentOf(document, "step")) throw new Error(`There is no step ${n}.`);
  return document;
}

/** A whole step. Returns how its step says the cache was. */
async function step(session: Session, options: AssembleOptions = {}, model?: string): Promise<"warm" | "cold"> {
  const before = session.view().ledger;
  await session.assemble(options);
  await session.record(model === undefined ? says("done") : { answer: { role: "assistant", text: "done", model } });
  const { plainBilled, plainChars, headChars } = session.view().ledger;
  const whole = 1.25 * (plainChars + headChars);
  return before.requests > 0 && plainBilled - before.plainBilled >= whole - 1e-6 ? "cold" : "warm";
}

const recordOf = (callId: string, model: string): StepRecord => {
  const { answer, ...rest } = runs(result(callId, `output of ${callId}`.repeat(9)));
  return { ...rest, answer: { ...answer, model } };
};

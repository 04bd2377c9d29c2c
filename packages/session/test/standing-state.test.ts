// @module-tag long
// Verifies: SSOT 3.9, decisions 0099 and 0130: a past prompt takes as many documents late in a session as early in it, and is what
// the steps make.
import {
  createMemoryStore,
  isDocumentOf,
  type ObjectDocument,
  type ObjectStore,
  sealDocument,
  standingId,
  stepId,
} from "@cm/object-model";
import { layouts } from "@cm/render";
import { loadRecent } from "@cm/step-log/load";
import { beforeAll, describe, expect, it } from "vitest";
import { eraseObjects, openSession, rebuildPrompt } from "../src/index.ts";
import { openPast } from "../src/past.ts";
import { verifyStore } from "../src/verify.ts";
import { all } from "./support/all.ts";
import { damagedStore, keyOf } from "./support/damaged-store.ts";
import { MapSource } from "./support/map-source.ts";
import { reads, result, user } from "./support/messages.ts";
import { intercepted } from "./support/stores.ts";

const rendererFor = (layout: string) => (layout === layouts.log.renderer.layout ? layouts.log.renderer : undefined);
const steps = 330;
const every = 15;

describe("past prompts of a session in a window", () => {
  let store: ObjectStore;
  let asked: string[] = [];
  let counted: ObjectStore;

  beforeAll(async () => {
    store = createMemoryStore({ now: () => 1_700_000_000_000 });
    await work(store);
    counted = intercepted(store, {
      before: (method, [ids]) => {
        if (method === "getMany") asked.push(...(ids as readonly string[]));
      },
    });
  });

  it("are the same from what stands as from the first step", async () => {
    const past = await openPast(store, "s", rendererFor);
    let [whole, light] = [0, 0];
    for (let n = 60; n < steps; n += 1) {
      asked = [];
      expect(await rebuildPrompt(counted, { session: "s", n }, rendererFor)).toEqual(await past.promptAt(n));
      if (asked.some((id) => id.startsWith("keyframe:"))) whole += 1;
      else light += 1;
    }
    expect(light).toBeGreaterThan(150);
    // The first ones, before much left the prompt; and where a call is brought back that had left it.
    expect(whole).toBeLessThan(120);
    expect(whole).toBeGreaterThan(0);
  });

  it("take as many bytes of what stands, however long the session is", async () => {
    const sizes = [];
    for (let n = 8 * every - 1; n < steps; n += every) {
      const id = standingId({ session: "s", n });
      const document = (await store.getMany([id])).get(id)?.document;
      if (document === undefined || !isDocumentOf(document, "standing")) expect.unreachable("It says not what stands.");
      sizes.push(document.standing.length);
    }
    const [early, late] = [sizes.slice(0, 6), sizes.slice(-6)].map((some) => Math.max(...some));
    expect(late).toBeLessThan((early ?? 0) * 1.5);
  });

  it("take nothing of it to open the session", async () => {
    asked = [];
    await loadRecent(
      counted,
      { session: "s", n: steps - 1 },
      { session: "s", prices: { read: 0.1, write: 1.25 }, headChars: 0 },
    );

    expect(new Set(asked.filter((id) => id.startsWith("keyframe:"))).size).toBe(steps / every);
    expect(asked.filter((id) => id.startsWith("standing:"))).toEqual([]);
  });

  it("have a document whose damage a verification finds", async () => {
    const id = standingId({ session: "s", n: steps - 1 });
    const { document, token = "" } = (await store.getMany([id])).get(id) ?? {};
    const forged = sealDocument(
      { type: "standing", id },
      { content: null, session_ref: "session:s", n: steps - 1, standing: "q1YqLkksSVWyUjA0MtFRykxRsjI0NgAA" },
    );
    const damaged = damagedStore(
      store,
      new Map([[keyOf({ id, token }), { ...(document as ObjectDocument), standing: "AAAA" }]]),
    );

    expect(await all(verifyStore(store))).toEqual([]);
    expect(await all(verifyStore(damaged))).toMatchObject([{ id, problem: "invalid" }]);
    await store.commit([{ document: forged, expect: "any" }], { requestId: "forged" });
    expect(await all(verifyStore(store))).toMatchObject([{ id, type: "standing", problem: "keyframe" }]);
  });

  it("are the same where what stands was erased", async () => {
    const past = await openPast(store, "s", rendererFor);
    await store.erase([standingId({ session: "s", n: 20 * every - 1 })], "a test");

    for (let n = 20 * every; n < 21 * every; n += 1)
      expect(await rebuildPrompt(store, { session: "s", n }, rendererFor)).toEqual(await past.promptAt(n));
  });

  it("tell what was erased, as before", async () => {
    await eraseObjects(store, [stepId({ session: "s", n: steps - 20 })], "a leaked key");
    const past = await openPast(store, "s", rendererFor);

    for (let n = steps - 30; n < steps; n += 1)
      expect(await rebuildPrompt(store, { session: "s", n }, rendererFor)).toEqual(await past.promptAt(n));
  });
});

async function work(store: ObjectStore): Promise<void> {
  const source = new MapSource();
  const open = () =>
    openSession({
      ...{ store, session: "s", layout: layouts.log, rendererFor, sources: [source], keyframeEverySteps: every },
      window: { bytesMax: 20_000 },
    });
  let session = await open();
  for (let n = 0; n < steps; n += 1) {
    if (n % 7 === 0) await session.receive([user(`Prompt ${n}, about ${"work, ".repeat(20)}`)]);
    if (n % 60 === 45) await session.command({ action: "activate", id: `t${n - 40}` });
    if (n % 60 === 50) await session.command({ action: "pin", id: `t${n - 2}` });
    if (n % 60 === 58) await session.command({ action: "unpin", id: `t${n - 10}` });
    if (n % 90 === 80) {
      await session.abandon();
      source.files.set("/0", `text of ${n}\n${"z".repeat(300)}`);
      session = await open();
    }
    await session.assemble(n % 40 === 30 ? { cache: "cold" } : {});
    const path = `/${n % 4}`;
    const text = `text of ${n}\n${`line ${n}\n`.repeat(60)}`;
    if (n % 3 === 0) source.files.set(path, text);
    const callId = `call_${n}`;
    const call = { callId, tool: n % 2 === 0 ? "bash" : "grep", args: { command: `run ${n} ${"x".repeat(120)}` } };
    if (n % 3 === 0) await session.record(reads(path, text, callId));
    else
      await session.record({
        answer: { role: "assistant", text: `Answer to ${n}.`, calls: [call] },
        results: [result(callId, `output of ${n}\n${"y".repeat(900)}`)],
      });
  }
  await session.abandon();
}

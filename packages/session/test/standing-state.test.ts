// Verifies: SSOT 3.9, decision 0099: a past prompt takes as many documents late in a session as early in it, and is what
// the steps make.
import { createMemoryStore, isDocumentOf, keyframeId, type ObjectStore, stepId } from "@cm/object-model";
import { layouts } from "@cm/render";
import { beforeAll, describe, expect, it } from "vitest";
import { eraseObjects, openSession, rebuildPrompt } from "../src/index.ts";
import { openPast } from "../src/past.ts";
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

  it("are the same from what a keyframe says to stand as from the first step", async () => {
    const past = await openPast(store, "s", rendererFor);
    let [whole, light] = [0, 0];
    for (let n = 60; n < steps; n += 1) {
      asked = [];
      expect(await rebuildPrompt(counted, { session: "s", n }, rendererFor)).toEqual(await past.promptAt(n));
      if (keyframesIn(asked) > 1) whole += 1;
      else light += 1;
    }
    expect(light).toBeGreaterThan(150);
    // The first ones, before much left the prompt; and where a call is brought back that had left it.
    expect(whole).toBeLessThan(120);
    expect(whole).toBeGreaterThan(0);
  });

  it("take as many bytes of a keyframe, however long the session is", async () => {
    const sizes = [];
    for (let n = 8 * every - 1; n < steps; n += every) {
      const id = keyframeId({ session: "s", n });
      const document = (await store.getMany([id])).get(id)?.document;
      if (document === undefined || !isDocumentOf(document, "keyframe")) expect.unreachable("There is no keyframe.");
      sizes.push(document.standing?.length ?? expect.unreachable("It does not say what stands."));
    }
    const [early, late] = [sizes.slice(0, 6), sizes.slice(-6)].map((some) => Math.max(...some));
    expect(late).toBeLessThan((early ?? 0) * 1.5);
  });

  it("tell what was erased, as before", async () => {
    await eraseObjects(store, [stepId({ session: "s", n: steps - 20 })], "a leaked key");
    const past = await openPast(store, "s", rendererFor);

    for (let n = steps - 30; n < steps; n += 1)
      expect(await rebuildPrompt(store, { session: "s", n }, rendererFor)).toEqual(await past.promptAt(n));
  });
});

const keyframesIn = (ids: readonly string[]): number => new Set(ids.filter((id) => id.startsWith("keyframe:"))).size;

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

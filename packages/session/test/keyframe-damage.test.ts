// Verifies: SSOT 3.6, decision 0089: a keyframe that is not what was written is passed over, and never gives another
// state; what left the prompt is not read.
import type { ContextPolicy, Prices } from "@cm/context-log";
import { flatOf, flatState, keyframeState, type MutableState, plainEntry } from "@cm/context-log/state";
import { createMemoryStore, isDocumentOf, type ObjectDocument, type ObjectStore, sealDocument } from "@cm/object-model";
import { loadPath, loadRecent, logAfter, restoreState } from "@cm/step-log/load";
import { describe, expect, it } from "vitest";
import { openSession, rebuildPrompt, type Session, sessionAt } from "../src/index.ts";
import { verifyStore } from "../src/verify.ts";
import { all } from "./support/all.ts";
import { damagedStore, keyOf } from "./support/damaged-store.ts";
import { MapSource } from "./support/map-source.ts";
import { reads, result, runs, touch, user } from "./support/messages.ts";
import { quietPolicy, recallsOf } from "./support/policies.ts";
import { openLog, rendererFor } from "./support/renderers.ts";
import { snapshot } from "./support/snapshot.ts";
import { intercepted } from "./support/stores.ts";

const settings = { prices: { read: 0.1, write: 1.25 }, headChars: 0 };

async function written(steps: number) {
  const store = createMemoryStore();
  const open = (from: ObjectStore = store, prices: Prices = settings.prices) =>
    openSession({
      store: from,
      prices,
      layout: { policy: quietPolicy, renderer: openLog },
      session: "s",
      keyframeEverySteps: 5,
    });
  const session = await open();
  await goOn(session, 0, steps);
  const last = snapshot(session);
  await session.abandon();
  return { store, open, last };
}

async function goOn(session: Session, from: number, to: number): Promise<void> {
  for (let n = from; n < to; n += 1) {
    await session.receive([user(`prompt ${n}`)]);
    await session.assemble();
    await session.record(runs(result(`call_${n}`, `output ${n}`)));
  }
}

describe("a session whose keyframes", () => {
  it.each([
    ["say another thing", (state: string) => state.replaceAll("bash", "rm -r")],
    ["are no JSON", () => "{"],
    ["have another shape", () => JSON.stringify({ version: 1, chain: [], rest: {}, rows: {}, tables: {} })],
    ["are of another version", (state: string) => state.replace('"version":2', '"version":3')],
  ])("%s is the one that its steps make", async (_how, change) => {
    const { store, open, last } = await written(14);
    const forged = await store.getMany(["keyframe:s:4", "keyframe:s:9"]);
    for (const { document } of forged.values()) {
      if (document === undefined || !isDocumentOf(document, "keyframe")) throw new Error("There is no keyframe.");
      const {
        "xt/id": id,
        type: _type,
        identity_hash: _identity,
        content_hash: _hash,
        source: _source,
        ...rest
      } = document;
      const payload = { ...rest, state: change(rest.state ?? "") };
      const sealed = sealDocument({ type: "keyframe", id }, payload);
      await store.commit([{ document: sealed, expect: "any" }], { requestId: id });
    }

    const session = await open();

    expect(forged.size).toBe(2);
    expect(snapshot(session)).toEqual(last);
    expect((await loadRecent(store, { session: "s", n: 13 }, { session: "s", ...settings })).from).toBeUndefined();
  });

  it("were erased goes back to the older one, or to its first step", async () => {
    const { store, open, last } = await written(14);

    await store.erase(["keyframe:s:9"], "a test");
    const older = await loadRecent(store, { session: "s", n: 13 }, { session: "s", ...settings });
    await store.erase(["keyframe:s:4"], "a test");

    expect(older.steps).toHaveLength(9);
    expect(snapshot(await open())).toEqual(last);
    expect((await rebuildPrompt(store, { session: "s", n: 12 }, rendererFor)).complete).toBe(true);
  });

  it("name what was erased since tells that it is gone", async () => {
    const { store, open } = await written(14);

    await store.erase(["call_2"], "a test");

    const session = await open();
    expect(session.view().objects.get("call_2")).toMatchObject({ text: null, textless: "erased" });
    expect(JSON.stringify(session.view().log)).not.toContain("output 2");
  });

  it.each(["here", "elsewhere"])("name what was erased %s, of use again from the next one on", async (where) => {
    const { store, open } = await written(12);
    if (where === "elsewhere") await store.erase(["call_2"], "a test");
    const session = await open();
    if (where === "here") await session.erase(["call_2"], "a test");

    await goOn(session, 12, 17);

    const { steps } = await loadRecent(store, { session: "s", n: 16 }, { session: "s", ...settings });
    expect(steps.map(({ address }) => address.n)).toEqual([15, 16]);
    expect(snapshot(await open())).toEqual(snapshot(session));
    expect((await all(verifyStore(store))).filter(({ problem }) => problem !== "erased")).toEqual([]);
  });

  it("name a file that was erased, and came into sight again since, as it is", async () => {
    const store = createMemoryStore();
    const source = new MapSource();
    const layout = { policy: quietPolicy, renderer: openLog };
    const open = () => openSession({ store, layout, session: "s", sources: [source], keyframeEverySteps: 1 });
    const session = await open();
    for (const text of ["one", "two", "three"]) {
      source.files.set("/a", text);
      await session.assemble();
      await session.record(reads("/a", text));
      if (text !== "one") continue;
      await session.erase(["/a"], "a test");
      await goOn(session, 0, 1);
    }
    await goOn(session, 1, 4);

    const opened = await open();

    expect([...opened.view().objects.values()]).toContainEqual(expect.objectContaining({ path: "/a", text: "three" }));
    expect(snapshot(opened)).toEqual(snapshot(session));
  });

  it("have a note of a file that was erased then, and is stored again to the letter, are sound", async () => {
    const store = createMemoryStore();
    const source = new MapSource();
    source.files.set("/a", "text of a");
    const layout = { policy: quietPolicy, renderer: openLog };
    const open = () => openSession({ store, layout, session: "s", sources: [source], keyframeEverySteps: 1 });
    const session = await open();
    for (const record of [runs(result("c1", "output")), reads("/a", "text of a")]) {
      await session.assemble();
      await session.record(record);
    }
    await session.erase(["c1", "/a"], "a test");
    await session.close();
    source.unreachable.add("/a");

    const again = await open();
    await goOn(again, 2, 4);
    source.unreachable.clear();
    for (const text of ["text of a", "another text"]) {
      source.files.set("/a", text);
      await again.assemble();
      await again.record(reads("/a", text));
    }

    expect(again.view().log.some(({ kind }) => kind === "resumed")).toBe(true);
    expect((await all(verifyStore(store))).filter(({ problem }) => problem !== "erased")).toEqual([]);
  });

  it("have a recalled version of a file that was erased after it had changed are of use, and no other state", async () => {
    const store = createMemoryStore();
    const source = new MapSource();
    const policy: ContextPolicy = {
      ...quietPolicy,
      decide: (view) => ({ recall: view.step === 1 ? recallsOf(view, view.sets.index) : [] }),
    };
    const layout = { policy, renderer: openLog };
    const open = () => openSession({ store, layout, session: "s", sources: [source], keyframeEverySteps: 1 });
    const session = await open();
    for (const [n, text] of ["one", "one", "two"].entries()) {
      source.files.set("/a", text);
      await session.assemble();
      await session.record(runs(result(`edit ${n}`, "done", { files: [touch("/a", "edited")] })));
    }
    await session.close();
    const { versions } = await store.find({ type: "file" });
    const { id = "", token: version = "" } = (await store.history(versions[0]?.id ?? "")).versions.at(-1) ?? {};
    await store.erase([{ id, version }], "a test");

    const again = await open();
    await goOn(again, 3, 12);

    const to = { session: "s", n: 11 };
    expect(again.view().log).toContainEqual(expect.objectContaining({ kind: "recalled", text: "[erased]" }));
    expect((await loadRecent(store, to, { session: "s", ...settings })).steps.length).toBeLessThan(4);
    expect(snapshot(await open())).toEqual(snapshot(again));
    expect((await sessionAt(store, to)).complete).toBe(false);
    expect((await all(verifyStore(store))).filter(({ problem }) => problem !== "erased")).toEqual([]);
  });

  it("have a bill that was added up at changing prices are sound", async () => {
    const { store, open } = await written(12);
    for (let n = 12; n < 40; n += 4)
      await goOn(await open(store, { read: 1 / (n + 3), write: n % 3 === 0 ? 1.1 : 1.7 }), n, n + 4);

    expect(await all(verifyStore(store))).toEqual([]);
  });

  it("hold a state that the steps do not make are found by a verification", async () => {
    const { store } = await written(14);
    const sound = await all(verifyStore(store));
    const { document } = (await store.getMany(["keyframe:s:9"])).get("keyframe:s:9") ?? {};
    const forged = { ...document, state: `${document?.state}`.replaceAll("bash", "cat ") } as ObjectDocument;

    const findings = await all(
      verifyStore(damagedStore(store, new Map([[await newestKey(store, "keyframe:s:9"), forged]]))),
    );

    expect(sound).toEqual([]);
    expect(findings.map(({ id }) => id)).toContain("keyframe:s:9");
  });
});

async function newestKey(store: ObjectStore, id: string): Promise<string> {
  const version = (await store.getMany([id])).get(id);
  return keyOf({ id, token: version?.token ?? "" });
}

describe("the newest keyframe", () => {
  it("spares a reader the steps before it", async () => {
    const { store } = await written(14);

    const path = await loadRecent(store, { session: "s", n: 13 }, { session: "s", ...settings });

    expect(path.steps.map(({ address }) => address.n)).toEqual([10, 11, 12, 13]);
  });

  it("holds no text of what it names", async () => {
    const { store } = await written(14);

    const keyframes = await store.getMany(["keyframe:s:4", "keyframe:s:9"]);

    const said = JSON.stringify([...keyframes.values()]);
    expect(said).toContain("call_7");
    expect(said).not.toMatch(/output|prompt \d|input/);
  });

  it("names entries that left the prompt, without a read of their objects", async () => {
    const { store } = await written(14);
    const whole = await loadPath(store, { session: "s", n: 13 });
    const log = await logAfter(whole, "s", { ...settings, render: async () => undefined });
    const state = log.state as MutableState;
    // As a window does it to old turns.
    for (let at = 0; at < 30; at += 1) {
      const entry = state.log[at];
      if (entry === undefined) continue;
      const { step, turn } = entry;
      state.log[at] = { kind: "omitted", was: "note", at, step, turn, chars: 7 };
      if (entry.kind !== "result") continue;
      const object = state.objects.get(entry.object);
      const { id, alias, kind, tool = "" } = object ?? { id: "", alias: "", kind: "toolcall" as const };
      state.objects.set(entry.object, { id, alias, kind, tool, status: "ok", text: null, inStore: true });
    }
    const flat = flatState(state, state.chain);
    const held = flat && flatOf(JSON.parse(JSON.stringify(keyframeState(flat, undefined))));
    const read: string[] = [];
    const counted = intercepted(store, {
      before: (method, [ids]) => {
        if (method === "getMany") read.push(...(ids as readonly string[]));
      },
    });
    const step = whole.steps.at(-1);
    if (held === undefined || step === undefined) throw new Error("There is no state to hold.");

    const keyframe = { chain: [], contentHash: "", flat: held };
    const restored = await restoreState(counted, keyframe, { session: "s", ...settings, step });

    expect(restored?.log.state.log.map(plainEntry)).toEqual(state.log);
    expect([...(restored?.log.state.objects ?? [])]).toEqual([...state.objects]);
    expect(read.sort()).toEqual([
      "call_10",
      "call_11",
      "call_12",
      "call_13",
      "step:s:10",
      "step:s:11",
      "step:s:12",
      "step:s:13",
    ]);
  });
});

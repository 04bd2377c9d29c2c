// Verifies: SSOT 1.3 with decision 17, SSOT 3.9: past prompts over erased text give marks, and the rest goes on.
import type { RebuiltPrompt } from "@cm/context-log";
import { createMemoryStore } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { openSession, rebuildPrompts, returnToStep } from "../src/index.ts";
import { all } from "./support/all.ts";
import { MapSource } from "./support/map-source.ts";
import { reads, result, runs, says, user } from "./support/messages.ts";
import { quietPolicy, recallsOf } from "./support/policies.ts";
import { openLog, rendererFor } from "./support/renderers.ts";

describe("an erased tool call", () => {
  it("leaves its place with a mark in every prompt that showed it, and none elsewhere", async () => {
    const { store, open } = await withSteps();
    await store.erase(["c1"], "a leaked key");

    const rebuilt = await all(rebuildPrompts(store, "s", rendererFor));

    expect(rebuilt.map(({ complete }) => complete)).toEqual([true, true, false, false, false]);
    expectHashes(rebuilt);
    expect(textOf(rebuilt[4])).not.toContain("output 1");
    expect(textOf(rebuilt[4])).toContain("output 2");
    const [object] = (await (await open()).objects()).filter(({ id }) => id === "c1");
    expect(object).toMatchObject({ alias: "t2", text: null, textless: "erased", level: "active" });
    expect((await open()).view().log[5]).toMatchObject({ kind: "result", tool: "bash", text: null });
  });

  it("keeps the places of what came after it, also of text that it was recalled with", async () => {
    const store = createMemoryStore();
    const policy = { ...quietPolicy, decide: recallsAndFolds };
    const session = await openSession({ store, layout: { policy, renderer: openLog }, session: "s" });
    for (let n = 0; n < 5; n += 1) {
      await session.assemble();
      await session.record(runs(result(`c${n}`, `output ${n}`)));
      await session.command({ action: "activate", id: "c0" });
    }
    await store.erase(["c0"], "a leaked key");

    const resumed = await openSession({ store, layout: { policy, renderer: openLog }, session: "s" });

    const kinds = (some: typeof session) => some.view().log.map(({ at, kind }) => `${at} ${kind}`);
    expect(kinds(resumed)).toEqual(kinds(session));
    expect([...resumed.view().forms]).toEqual([...session.view().forms]);
    expect(resumed.view().log.filter(({ kind }) => kind === "recalled")).toMatchObject([{ text: "[erased]" }]);
  });
});

describe("an erased file", () => {
  it("is a mark where it was in sight", async () => {
    const store = createMemoryStore();
    const source = new MapSource();
    source.files.set("/a", "secret");
    const session = await openSession({
      store,
      layout: { policy: quietPolicy, renderer: openLog },
      sources: [source],
      session: "s",
    });
    await session.assemble();
    await session.record(reads("/a", "shown"));
    await session.assemble();
    await session.record(says("done"));
    const [file = ""] = session.wrapper().session_index.filter((id) => id.length === 64);
    await store.erase([file], "a leaked key");

    const rebuilt = await session.promptAt(1);

    expect(rebuilt.complete).toBe(false);
    expect(textOf(rebuilt)).not.toContain("secret");
    expect(textOf(rebuilt)).toContain("erased");
  });
});

describe("an erased system prompt", () => {
  it("is a mark in the prompts that had it, and empty in the next one", async () => {
    const store = createMemoryStore();
    const open = { store, layout: { policy: quietPolicy, renderer: openLog }, session: "s" };
    const session = await openSession({ ...open, systemPrompt: "secret" });
    await session.assemble();
    await session.record(says("one"));
    await store.erase(["system_prompt:s"], "a leaked key");
    const resumed = await openSession(open);
    await resumed.assemble();
    await resumed.record(says("two"));

    const rebuilt = await all(rebuildPrompts(store, "s", rendererFor));

    expect(rebuilt.map(({ prompt, complete }) => [prompt.system, complete])).toEqual([
      ["[erased]", false],
      ["", true],
    ]);
    expectHashes(rebuilt);
  });
});

describe("an erased step", () => {
  it("is one mark, and the path goes on before and behind it", async () => {
    const { store } = await withSteps();
    await store.erase(["step:s:2"], "a leaked key");

    const rebuilt = await all(rebuildPrompts(store, "s", rendererFor));

    expect(rebuilt.map(({ n, complete }) => [n, complete])).toEqual([
      [0, true],
      [1, true],
      [2, false],
      [3, false],
      [4, false],
    ]);
    expectHashes(rebuilt);
    expect(rebuilt[2]?.recordedHash).toBe("");
    const text = textOf(rebuilt[4]);
    expect(text).toContain("[erased]");
    expect(text).not.toContain("prompt 2");
    for (const kept of ["prompt 1", "output 1", "prompt 3", "output 3"]) expect(text).toContain(kept);
  });

  it("still counts as a step, and the turn after it has its number", async () => {
    const { store, open } = await withSteps();
    await store.erase(["step:s:2"], "a leaked key");

    const resumed = await open();

    expect([resumed.view().step, resumed.view().turn]).toEqual([5, 4]);
  });

  it("leaves the session usable: the chain holds and new steps continue it", async () => {
    const { store, open } = await withSteps();
    await store.erase(["step:s:4", "step:s:1"], "a leaked key");
    const resumed = await open();
    await resumed.receive([user("next")]);
    await resumed.assemble();

    const { n } = await resumed.record(says("done"));

    expect(n).toBe(5);
    expect((await (await open()).promptAt(5)).complete).toBe(false);
  });

  it("takes its objects out of the session, and what later steps did to them", async () => {
    const { store, open } = await withSteps();
    const session = await open();
    await session.command({ action: "pin", id: "c2" });
    await session.command({ action: "hide", id: "c1" });
    await session.assemble();
    await session.command({ action: "show", id: "c1" });
    await session.record(says("done"));
    await store.erase(["step:s:2", "step:s:1"], "a leaked key");

    const resumed = await open();

    const { index, pool, active, pinned } = resumed.view().sets;
    expect([...index]).toEqual(["c0", "c3", "c4"]);
    expect([...pool, ...active, ...pinned].filter((id) => !index.has(id))).toEqual([]);
    expect(await resumed.command({ action: "pin", id: "c2" })).toMatchObject({ done: false });
  });

  it("at the start of a session is a mark, too", async () => {
    const { store, open } = await withSteps();
    await store.erase(["step:s:0"], "a leaked key");

    const resumed = await open();
    const rebuilt = await all(rebuildPrompts(store, "s", rendererFor));

    expect(resumed.view().log[0]).toMatchObject({ kind: "user", text: "[erased]" });
    expect(rebuilt.map(({ complete }) => complete)).toEqual([false, false, false, false, false]);
    await expect(resumed.promptAt(0)).rejects.toMatchObject({ code: "session/unknown-layout" });
  });

  it("that a session went back before keeps its own parent", async () => {
    const store = createMemoryStore();
    const open = () => openSession({ store, layout: { policy: quietPolicy, renderer: openLog }, session: "s" });
    const say = async (session: Awaited<ReturnType<typeof open>>, name: string) => {
      await session.receive([user(name)]);
      await session.assemble();
      await session.record(says("."));
    };
    const first = await open();
    for (const name of ["m0", "t1"]) await say(first, name);
    await first.close();
    await returnToStep(store, { session: "s", n: 0 });
    const second = await open();
    for (const name of ["m2", "m3"]) await say(second, name);
    await store.erase(["step:s:2", "step:s:1"], "a leaked key");

    const path = (await all(rebuildPrompts(store, "s", rendererFor))).map(({ n }) => n);
    const newest = textOf(await second.promptAt(3));

    expect(path).toEqual([0, 2, 3]);
    expect([newest.includes("m0"), newest.includes("m3"), newest.includes("[erased]")]).toEqual([true, true, true]);
  });

  it("takes the step before for its parent where the heads do not tell", async () => {
    const { store } = await withSteps();
    await store.erase(["step:s:2"], "a leaked key");
    const forgetful = { ...store, getMany: store.getMany.bind(store), history: withoutHeads(store) };

    const rebuilt = await all(rebuildPrompts(forgetful, "s", rendererFor));

    expect(rebuilt.map(({ n }) => n)).toEqual([0, 1, 2, 3, 4]);
  });

  it("drops later folds whose part is no longer known", async () => {
    const store = createMemoryStore();
    const folds = { ...quietPolicy, decide: foldsAll };
    const session = await openSession({ store, layout: { policy: folds, renderer: openLog }, session: "s" });
    for (let n = 0; n < 4; n += 1) {
      await session.assemble();
      await session.record(runs(result(`c${n}`, `output ${n}`)));
    }
    await store.erase(["step:s:1"], "a leaked key");

    const resumed = await openSession({ store, layout: { policy: folds, renderer: openLog }, session: "s" });
    const text = textOf(await resumed.promptAt(3));

    expect([...resumed.view().forms.keys()]).toEqual(["1"]);
    expect(text).toMatch(/folded/);
    expect(text).toContain("output 2");
  });
});

/** Hashes that differ from the recorded ones are owned up to, and equal ones are no pretence. */
function expectHashes(rebuilt: readonly RebuiltPrompt[]): void {
  const honest = rebuilt.filter(({ hash, recordedHash, complete }) => (hash === recordedHash) === complete);
  expect(honest).toHaveLength(rebuilt.length);
}

function textOf(rebuilt: RebuiltPrompt | undefined): string {
  return JSON.stringify(rebuilt?.prompt.messages);
}

/** Five turns of one step, each with a call. */
async function withSteps() {
  const store = createMemoryStore();
  const open = () => openSession({ store, layout: { policy: quietPolicy, renderer: openLog }, session: "s" });
  const session = await open();
  for (let n = 0; n < 5; n += 1) {
    await session.receive([user(`prompt ${n}`)]);
    await session.assemble();
    await session.record(runs(result(`c${n}`, `output ${n}`)));
  }
  return { store, open };
}

type View = Parameters<typeof quietPolicy.decide>[0];

/** Folds the first result, then brings back what is asked for, then folds what comes behind. */
function recallsAndFolds(view: View) {
  const folds = { 2: ["1"], 4: ["8"] }[view.step] ?? [];
  const forms = Object.fromEntries(folds.map((part) => [part, { form: "reference" as const }]));
  return { forms, recall: recallsOf(view, view.sets.requested) };
}

function foldsAll({ log }: View) {
  const results = log.filter(({ kind }) => kind === "result");
  return { forms: Object.fromEntries(results.map(({ at }) => [`${at}`, { form: "reference" as const }])) };
}

function withoutHeads(store: ReturnType<typeof createMemoryStore>): typeof store.history {
  return async (id, page) => (id.startsWith("session:") ? { versions: [] } : store.history(id, page));
}

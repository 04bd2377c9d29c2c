// Verifies: SSOT 3.7, decision 0092: the life of an object, as the prompts themselves show it.
import { createMemoryStore, type ObjectStore } from "@cm/object-model";
import { describe, expect, it, vi } from "vitest";
import { openSession, rebuildPrompts, sessionAt } from "../src/index.ts";
import { type ObjectLife, objectLife } from "../src/past.ts";
import { all } from "./support/all.ts";
import { MapSource } from "./support/map-source.ts";
import { reads, says, user } from "./support/messages.ts";
import { Play } from "./support/play.ts";
import { type decides, quietPolicy } from "./support/policies.ts";
import { openLog, openSets, rendererFor } from "./support/renderers.ts";
import { randomScript } from "./support/script.ts";
import { forSeeds } from "./support/seeds.ts";

const file = "test/object-life.test.ts";
const fixedStore = (): ObjectStore => createMemoryStore({ now: () => 1_700_000_000_000 });

describe("the life of an object of a random session", () => {
  it("is what each of its prompts shows", async () => {
    await forSeeds({ short: 15, long: 2_000, file }, async (random, seed) => {
      const store = fixedStore();
      const play = await Play.open({ store, renderer: openLog, seed });
      for (const action of randomScript(random, 2 + random.below(12))) await play.do(action);
      const prompts = await all(rebuildPrompts(store, "s", rendererFor));
      const { objects, wrapper } = await sessionAt(store, { session: "s", n: play.steps.length - 1 });
      if (objects.length === 0) return;
      const { id, alias, level, pinned } = random.pick(objects);

      const life = (await objectLife(
        store,
        { session: "s", name: random.pick([id, alias]) },
        rendererFor,
      )) as ObjectLife;

      expect([life.object.id, life.object.level, life.object.pinned]).toEqual([id, level, pinned]);
      expect(life.levels.at(-1)).toMatchObject({ level, pinned });
      expect(wrapper.session_index).toContain(id);
      for (const { part, kind, runs } of life.texts) {
        if (kind === "arguments") continue;
        const told = runs.flatMap(({ from, to, standing }) =>
          Array.from({ length: to.n - from.n + 1 }, (_, place) => [from.n + place, standing === "in full"]),
        );
        const shown = prompts.flatMap(({ prompt }, n) => {
          const message = prompt.messages.find(({ text }) => text.startsWith(`${part}/`));
          return message === undefined ? [] : [[n, !message.text.endsWith("folded")]];
        });
        expect(told).toEqual(shown);
      }
    });
  });
});

describe("the life of a file", () => {
  it("tells its versions, where it stood, why it went, and that it came back", async () => {
    const { store, source, step } = await begun();
    source.files.set("/a", "one\n");
    await step(reads("/a", "one\n", "c0"));
    source.files.set("/a", "one\ntwo\n");
    await step(reads("/a", "one\ntwo\n", "c1"));
    await step(says("fine"), { forms: { "2": { form: "reference" } }, reasons: { "output was read": ["2"] } });
    const id = await idOf(store, "f1");
    await step(says("again"), { recall: [{ object: id, into: 4 }], reasons: { "agent asked for it": [id] } });
    await step(says("gone"), { omit: [[0, 3]], reasons: { "window: earlier turns left out": ["0"] } });

    const life = await objectLife(store, { session: "s", name: "f1" }, rendererFor);

    expect([life, life?.texts, life?.texts[0]?.runs[0]].every(Object.isFrozen)).toBe(true);
    expect(life).toMatchObject({ object: { alias: "f1", path: "/a" }, met: { n: 0 }, complete: true });
    expect(life?.versions.map(({ from }) => from.n)).toEqual([0, 1]);
    const texts = life?.texts.filter(({ kind }) => kind !== "arguments") ?? [];
    expect(texts.map(({ kind, call, lines }) => [kind, call?.alias, lines?.start])).toEqual([
      ["output", "t1", 1],
      ["output", "t2", 1],
      ["brought back", undefined, undefined],
    ]);
    expect(
      texts.map(({ runs }) => runs.map(({ from, to, standing, reason }) => [from.n, to.n, standing, reason])),
    ).toEqual([
      [
        [1, 1, "in full", undefined],
        [2, 3, "reference", "output was read"],
        [4, 4, "left out", "window: earlier turns left out"],
      ],
      [[2, 4, "in full", undefined]],
      [[3, 4, "in full", "agent asked for it"]],
    ]);
  });

  it("tells when it was in the active set, under a layout that shows that", async () => {
    await forSeeds({ short: 8, long: 2_000, file }, async (random, seed) => {
      const store = fixedStore();
      const play = await Play.open({ store, renderer: openSets, seed });
      for (const action of randomScript(random, 2 + random.below(12))) await play.do(action);
      const prompts = await all(rebuildPrompts(store, "s", rendererFor));
      const { objects } = await sessionAt(store, { session: "s", n: play.steps.length - 1 });
      for (const { id, alias } of objects) {
        const life = await objectLife(store, { session: "s", name: id }, rendererFor);

        const [text] = life?.texts ?? [];
        const told = text?.runs.flatMap(({ from, to, standing }) =>
          standing === "in full" ? Array.from({ length: to.n - from.n + 1 }, (_, place) => from.n + place) : [],
        );
        const shows = ({ prompt }: (typeof prompts)[number]) =>
          prompt.messages.some((message) => message.text.startsWith(`ACTIVE ${alias} `));
        expect(told ?? []).toEqual(prompts.flatMap((one, n) => (shows(one) ? [n] : [])));
      }
    });
  });

  it("says so where it was erased, and tells nothing of what the session never met", async () => {
    const { store, source, step } = await begun();
    source.files.set("/a", "one\n");
    await step(reads("/a", "one\n", "c0"));
    await step(says("fine"));
    await store.erase(["c0"], "a leaked key");

    const life = await objectLife(store, { session: "s", name: "c0" }, rendererFor);

    expect(life).toMatchObject({ object: { alias: "t1", textless: "erased" }, complete: false });
    expect(life?.texts.find(({ kind }) => kind === "output")?.runs).toMatchObject([
      { standing: "erased", from: { n: 1 } },
    ]);
    expect(await objectLife(store, { session: "s", name: "nobody" }, rendererFor)).toBeUndefined();
    await expect(objectLife(store, { session: "none", name: "c0" }, rendererFor)).rejects.toMatchObject({
      code: "session/not-found",
    });
  });
});

describe("the life of a call that a damaged store has lost", () => {
  it("says of no request that its text stood in it", async () => {
    const { store, source, step } = await begun();
    source.files.set("/a", "one\n");
    await step(reads("/a", "one\n", "c0"));
    await step(says("fine"));
    const getMany = store.getMany.bind(store);
    vi.spyOn(store, "getMany").mockImplementation(async (...asked) => {
      const found = new Map(await getMany(...asked));
      found.delete("c0");
      return found;
    });

    const life = await objectLife(store, { session: "s", name: "c0" }, rendererFor);

    expect(life?.texts.map(({ kind, runs }) => [kind, runs.map(({ standing }) => standing)])).toEqual([
      ["arguments", ["missing"]],
      ["output", ["missing"]],
    ]);
  });
});

type StepOf = Parameters<Awaited<ReturnType<typeof openSession>>["record"]>[0];

async function begun() {
  const store = fixedStore();
  const source = new MapSource();
  let decision: Parameters<typeof decides>[0] = {};
  const policy = { ...quietPolicy, decide: () => decision };
  const session = await openSession({ store, layout: { policy, renderer: openLog }, session: "s", sources: [source] });
  await session.receive([user("Look.")]);
  const step = async (record: StepOf, decided: typeof decision = {}): Promise<void> => {
    decision = decided;
    await session.assemble();
    await session.record(record);
  };
  return { store, source, step };
}

async function idOf(store: ObjectStore, alias: string): Promise<string> {
  const life = await objectLife(store, { session: "s", name: alias }, rendererFor);
  return life?.object.id ?? "";
}

// @module-tag long
// Verifies: SSOT 1.4, 3.7, 3.12: a session as of any of its steps, from the store alone.
import { createMemoryStore, type ObjectStore, type StepAddress } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import {
  forkSession,
  objectAt,
  openSession,
  type PastSession,
  rebuildPrompt,
  type Session,
  sessionAt,
} from "../src/index.ts";
import { MapSource } from "./support/map-source.ts";
import { reads, result, runs, says } from "./support/messages.ts";
import { Play } from "./support/play.ts";
import { quietPolicy } from "./support/policies.ts";
import { openLog, openSets } from "./support/renderers.ts";
import { randomScript } from "./support/script.ts";
import { forSeeds } from "./support/seeds.ts";

const file = "test/session-at.test.ts";
const fixedStore = () => createMemoryStore({ now: () => 1_700_000_000_000 });

describe.each([openLog, openSets])("a random session under $layout", (renderer) => {
  it("is what it was as of each of its steps, with every object it had in sight", async () => {
    await forSeeds({ short: 20, long: 2_000, file }, async (random, seed) => {
      const store = fixedStore();
      const play = await Play.open({ store, renderer, seed });
      const known: PastSession[] = [];

      for (const action of randomScript(random, 2 + random.below(8))) {
        await play.do(action);
        if (action.do === "record") known.push(await presentOf(play.session, addressOf(play)));
      }

      for (const then of known) {
        expect(await sessionAt(store, then.address)).toEqual(then);
        for (const { id, alias, text, textless } of then.objects) {
          const version = await objectAt(store, then.address, random.pick([id, alias]));
          // A stub may show a part that was seen of it; the document itself has no text.
          expect([version?.id, version?.document?.content]).toEqual([id, textless === undefined ? text : null]);
        }
        expect(await objectAt(store, then.address, "never met")).toBeUndefined();
      }
    });
  });
});

describe("a session as of a step", () => {
  it("that a writer was overtaken at is what that writer had, under the fork's name", async () => {
    const { store, open } = setting();
    const mine = await open();
    await step(mine, runs(result("mine 0", "one")));
    const theirs = await open();
    await step(theirs, runs(result("theirs 1", "two")));
    await step(mine, runs(result("mine 1", "three")));

    const [left, fork] = [await sessionAt(store, at("s", 1)), await sessionAt(store, at(mine.session, 0))];

    expect([left.wrapper, left.chat]).toEqual([theirs.wrapper(), theirs.chat()]);
    expect([fork.wrapper, fork.chat]).toEqual([mine.wrapper(), mine.chat()]);
    expect(fork.chat.toolcall_refs).toEqual(["mine 0", "mine 1"]);
  });

  it("of a fork begins with what it continues, under its own name", async () => {
    const { store, open } = setting();
    await step(await open(), runs(result("c0", "one")));
    await forkSession(store, at("s", 0), { session: "fork" });
    await step(await open("fork"), runs(result("c1", "two")));

    const past = await sessionAt(store, at("fork", 0));

    expect(past.wrapper).toMatchObject({ session_id: "session:fork", session_index: ["c0", "c1"] });
    expect(past.chat).toMatchObject({ session_ref: "session:fork", toolcall_refs: ["c0", "c1"] });
  });

  it("has the file that it had in sight, whatever others stored since", async () => {
    const { store, source, open } = setting();
    source.files.set("/a", "first");
    const session = await open();
    await step(session, reads("/a", "shown"));
    source.files.set("/a", "second");
    await step(await open("other"), reads("/a", "shown"));
    await step(session, says("done"));

    const texts = await Promise.all([0, 1].map((n) => objectAt(store, at("s", n), "f1")));

    expect(texts.map((version) => version?.document?.content)).toEqual(["first", "second"]);
    expect(await objectAt(store, at("s", 0), "t2")).toBeUndefined();
  });

  it("has the version that was there then, where the same content came back later", async () => {
    const { store, source, open } = setting();
    const session = await open();
    for (const text of ["first", "second", "first"]) {
      source.files.set("/a", text);
      await step(session, reads("/a", "shown"));
    }

    const versions = await Promise.all([0, 1, 2].map((n) => objectAt(store, at("s", n), "f1")));

    expect(versions.map((version) => version?.document?.content)).toEqual(["first", "second", "first"]);
    expect(new Set(versions.map((version) => version?.token)).size).toBe(3);
  });

  it("says where something was erased, and gives the version's stamp", async () => {
    const { store, open } = setting();
    const session = await open();
    await step(session, says("hello"));
    await step(session, runs(result("c1", "secret")));
    await store.erase(["c1"], "a leaked key");

    const [before, after] = [await sessionAt(store, at("s", 0)), await sessionAt(store, at("s", 1))];

    expect([before.complete, after.complete]).toEqual([true, false]);
    expect(after.objects).toMatchObject([{ id: "c1", text: null, textless: "erased" }]);
    expect(await objectAt(store, at("s", 1), "c1")).toMatchObject({ id: "c1", erased: { reason: "a leaked key" } });
  });

  it("that was erased is a mark, with what came before it", async () => {
    const { store, open } = setting();
    const session = await open();
    for (const id of ["c0", "c1"]) await step(session, runs(result(id, id)));
    await store.erase(["step:s:1"], "a leaked key");

    const past = await sessionAt(store, at("s", 1));

    expect([past.complete, past.wrapper.session_index]).toEqual([false, ["c0"]]);
    expect(past.chat.turns.at(-1)?.user.at(-1)?.text).toBe("[erased]");
  });

  it("has the system prompt of that step, and says so where it was erased", async () => {
    const { store, open } = setting();
    const session = await open();
    await step(session, says("one"));
    await session.assemble({ systemPrompt: "later" });
    await session.record(says("two"));

    const prompts = await Promise.all([0, 1].map(async (n) => (await sessionAt(store, at("s", n))).systemPrompt));
    await store.erase(["system_prompt:s"], "a leaked key");

    expect(prompts).toEqual(["", "later"]);
    expect(await sessionAt(store, at("s", 1))).toMatchObject({ systemPrompt: undefined, complete: false });
  });

  it("says that its system prompt was lost, where nothing says that it was erased", async () => {
    const { store, open } = setting();
    const session = await open();
    await step(session, says("one"));
    const lossy = without(store, "system_prompt:s");

    const past = await sessionAt(lossy, at("s", 0));
    const rebuilt = await rebuildPrompt(lossy, at("s", 0), () => openLog);

    const missing = ["system_prompt:s"];
    expect(past).toMatchObject({ systemPrompt: undefined, complete: false, missing });
    expect(rebuilt).toMatchObject({ prompt: { system: "[missing]" }, complete: false, missing });
  });

  it("that is not there is not found", async () => {
    const { store, open } = setting();
    await step(await open(), says("one"));

    for (const address of [at("s", 1), at("s", -1), at("s", 0.5), at("nobody", 0)]) {
      await expect(sessionAt(store, address)).rejects.toMatchObject({ code: "session/not-found" });
      await expect(objectAt(store, address, "f1")).rejects.toMatchObject({ code: "session/not-found" });
    }
  });
});

/** A store and one world of files. */
function setting() {
  const store = createMemoryStore();
  const source = new MapSource();
  const open = (session = "s") =>
    openSession({ store, layout: { policy: quietPolicy, renderer: openLog }, sources: [source], session });
  return { store, source, open };
}

const at = (session: string, n: number): StepAddress => ({ session, n });

async function step(session: Session, record: Parameters<Session["record"]>[0]): Promise<void> {
  await session.assemble();
  await session.record(record);
}

const addressOf = (play: Play): StepAddress => ({ session: "s", n: play.steps.at(-1)?.n ?? -1 });

/** What the open session itself has now. */
async function presentOf(session: Session, address: StepAddress): Promise<PastSession> {
  return {
    address,
    wrapper: session.wrapper(),
    chat: session.chat(),
    objects: await session.objects(),
    systemPrompt: session.view().systemPrompt,
    complete: true,
    missing: [],
  };
}

/** The store with one object gone, as after damage of its file. */
const without = (store: ObjectStore, lost: string): ObjectStore => ({
  ...{ contract: store.contract, commit: store.commit, erase: store.erase, find: store.find },
  getMany: (ids, ...options) =>
    store.getMany(
      ids.filter((id) => id !== lost),
      ...options,
    ),
  history: async (id, page) => (id === lost ? { versions: [] } : store.history(id, page)),
});

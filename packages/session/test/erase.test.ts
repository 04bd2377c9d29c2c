// Verifies: SSOT 2.8, 3.12, T7: what is erased while a session is open is gone from every answer of it.
import type { IncomingUser } from "@cm/context-log";
import {
  attachmentId,
  CmError,
  createMemoryStore,
  type FilesystemBinding,
  isCmError,
  type ObjectStore,
  objectIdOf,
  sha256,
} from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { eraseObjects, holdersOf, openSession, type Session } from "../src/index.ts";
import { all } from "./support/all.ts";
import { quietly } from "./support/layouts.ts";
import { at, MapSource } from "./support/map-source.ts";
import { answering, call, reads, result, runs, says, user } from "./support/messages.ts";
import { Play } from "./support/play.ts";
import { quietPolicy } from "./support/policies.ts";
import { openLog, openSets, rendererFor } from "./support/renderers.ts";
import { randomScript } from "./support/script.ts";
import { forSeeds } from "./support/seeds.ts";
import { snapshot } from "./support/snapshot.ts";
import { type Interception, intercepted } from "./support/stores.ts";

const file = "test/erase.test.ts";
const canary = "canary-7f3a91";

describe("erasing in an open session", () => {
  it.each(["c1", "t1", "step:s:0"])("%s: takes its text from every answer, also from past prompts", async (named) => {
    const { session } = await withSteps([says("hello"), runs(result("c1", `a ${canary} b`)), says("done")]);

    const receipt = await session.erase([named], "a leaked key");

    expect(receipt.erased).toEqual([named === "t1" ? "c1" : named]);
    const prompt = await session.assemble();
    expect(JSON.stringify(prompt)).toContain("erased");
    if (named !== "step:s:0") await expectNoCanary(session, prompt);
    expect((await session.promptAt(2)).complete).toBe(false);
  });

  it("goes on: the next step is written, and a reopened session has the same", async () => {
    const { session, open } = await withSteps([runs(result("c1", canary)), says("done")]);
    await session.erase(["c1"], "a leaked key");

    await takeStep(session, says("and on"));

    expect(snapshot(await open())).toEqual(snapshot(session));
    expect((await session.promptAt(2)).complete).toBe(false);
    await expectNoCanary(session, await session.assemble());
  });

  it("keeps what no step says yet", async () => {
    const { session } = await withSteps([
      runs(result("c1", canary), result("c2", "two")),
      { answer: answering(call("late")) },
    ]);
    await session.receive([user("a question"), result("late", "came late")]);
    await session.command({ action: "pin", id: "c2" });
    const before = session.wrapper();

    await session.erase(["c1"], "a leaked key");

    expect(session.wrapper()).toEqual(before);
    const prompt = await session.assemble();
    expect(textOf(prompt)).toContain("a question");
    expect(textOf(prompt)).toContain("came late");
    const { n } = await session.record(says("done"));
    expect((await session.promptAt(n)).prompt).toEqual(prompt);
    expect(session.wrapper().pinned_set).toEqual(["c2"]);
  });

  it("takes a result that came late and that no step names yet", async () => {
    const { session } = await withSteps([{ answer: answering(call("late")) }]);
    await session.receive([result("late", canary)]);

    await session.erase(["late"], "a leaked key");

    const prompt = await session.assemble();
    await session.record(says("done"));
    await expectNoCanary(session, prompt);
    expect(await session.objects()).toMatchObject([{ id: "late", text: null, textless: "erased" }]);
  });

  it("gives up a request that may show it, and no other call is lost", async () => {
    const { session } = await withSteps([runs(result("c1", canary))]);
    await session.assemble();

    await session.erase(["c1"], "a leaked key");

    await expect(session.record(says("seen"))).rejects.toMatchObject({ code: "session/no-request" });
    await expectNoCanary(session, await session.assemble());
    expect((await session.record(says("seen"))).n).toBe(1);
  });

  it("takes a file, whose next version comes into sight as ever", async () => {
    const source = new MapSource();
    source.files.set("/a", canary);
    const { session } = await withSteps([reads("/a", "shown")], { sources: [source] });
    const id = objectIdOf({ type: "file", source: at("/a") });

    await session.erase([id], "a leaked key");
    await expectNoCanary(session, await session.assemble());
    await session.record(says("noted"));
    source.files.set("/a", "clean");
    await takeStep(session, says("look"));

    expect((await session.objects()).find((object) => object.id === id)).toMatchObject({ text: "clean" });
    await expectNoCanary(session, await session.assemble());
  });

  it("takes a version that was found and that no step names yet", async () => {
    const source = new MapSource();
    source.files.set("/a", "before");
    const { session } = await withSteps([reads("/a", "shown")], { sources: [source] });
    source.files.set("/a", canary);
    await session.assemble();

    await session.erase([objectIdOf({ type: "file", source: at("/a") })], "a leaked key");

    await expectNoCanary(session, await session.assemble());
  });

  it("empties the system prompt that is erased, and no other", async () => {
    const { session } = await withSteps([says("one"), runs(result("c1", "two"))], { systemPrompt: canary });
    await session.erase(["c1"], "another thing");
    expect((await session.assemble()).system).toBe(canary);

    await session.erase(["system_prompt:s"], "a leaked key");

    const prompt = await session.assemble();
    expect(prompt.system).toBe("");
    await expectNoCanary(session, prompt);
  });

  it("never writes an attachment that was erased before its step", async () => {
    const { session, store } = await withSteps([says("one")]);
    const data = new Uint8Array([1, 2, 3]);
    const picture: IncomingUser = { ...user("look"), attachments: [{ mime: "image/png", data }] };
    const id = attachmentId(sha256(data));
    await session.receive([picture]);

    await session.erase([id], "a leaked picture");
    await session.assemble();
    await session.record(says("I see nothing"));

    expect((await store.getMany([id])).get(id)?.document).toBeUndefined();
  });

  it("names what else was taken", async () => {
    const { session } = await withSteps([runs(result("c1", "same"), result("c2", "same"))]);

    const receipt = await session.erase(["c1"], "a leaked key");

    expect([receipt.erased, receipt.shared, receipt.unknown]).toEqual([["c1"], ["c2"], []]);
    expect((await session.objects()).map(({ textless }) => textless)).toEqual(["erased", "erased"]);
  });

  it("leaves text that was quoted in a message where it is", async () => {
    const { session } = await withSteps([runs(result("c1", canary)), says(`it says ${canary}`)]);

    await session.erase(["c1"], "a leaked key");

    expect(textOf(await session.assemble()).split(canary)).toHaveLength(2);
  });
});

describe("what is to be erased", () => {
  const id = objectIdOf({ type: "file", source: at("/a") });

  it.each(["f1", id, "/workspace/a"])("may be named as %s", async (named) => {
    const { session } = await withFile();

    const receipt = await session.erase([named, named, "t1"], "a leaked key");

    expect([...receipt.erased].sort()).toEqual([id, "c1"].sort());
    await expectNoCanary(session, await session.assemble());
  });

  it("is every file that is shown under a path", async () => {
    const describe = ({ filesystemId, path }: FilesystemBinding) => ({
      namespace: filesystemId,
      path,
      display: "/same",
    });
    const source = Object.assign(new MapSource(), { describe });
    source.files.set("/a", canary).set("/b", `${canary} too`);
    const { session } = await withSteps([reads("/a", "shown"), reads("/b", "shown")], { sources: [source] });

    const { erased } = await session.erase(["/same"], "a leaked key");

    expect(erased).toHaveLength(2);
    await expectNoCanary(session, await session.assemble());
  });

  it("is known by its path when the call is repeated, since its answer was lost", async () => {
    const faults = failing("erase", "after");
    const { session } = await withFile(faults.wrap);
    faults.begin();
    await expect(session.erase(["/workspace/a"], "a leaked key")).rejects.toMatchObject({ code: "store/unavailable" });

    await session.erase(["/workspace/a"], "a leaked key");

    expect((await session.objects()).find((object) => object.id === id)).toMatchObject({ textless: "erased" });
  });

  it.each([["t9"], ["f2"], ["/workspace/b"], [""], ["t1", "nobody"], ["t1", "x".repeat(100_000)]])(
    "is refused as a whole where one is not known: %.20s %.20s",
    async (...named) => {
      const { session, store } = await withFile();
      const before = snapshot(session);
      const unknown = named.at(-1) ?? "";

      const error: unknown = await session.erase(named, "a leaked key").catch((thrown: unknown) => thrown);

      if (!isCmError(error, "session/unknown-object")) throw new Error("It was not refused.", { cause: error });
      expect(error.message).toContain(`"${unknown.slice(0, 60)}"`);
      expect(error.message.length).toBeLessThan(300);
      expect(snapshot(session)).toEqual(before);
      expect((await store.getMany(["c1"])).get("c1")?.erased).toBeUndefined();
    },
  );

  it("may be what only the store knows, also what is erased already", async () => {
    const { session, store, open } = await withSteps([runs(result("c1", "mine"))]);
    const other = await openSession({ store, layout: quietly(openLog), session: "other" });
    await takeStep(other, runs(result("theirs", canary)));

    const first = await session.erase(["theirs"], "a leaked key");
    await (await open()).erase(["theirs"], "a leaked key");

    expect(first.erased).toEqual(["theirs"]);
    expect((await store.getMany(["theirs"])).get("theirs")?.erased).toBeDefined();
  });

  /** A file that is shown elsewhere than where it lies, and was read by a call. */
  async function withFile(wrap?: (store: ObjectStore) => ObjectStore) {
    const source = new MapSource();
    source.displayRoot = "/workspace/";
    source.files.set("/a", canary);
    return withSteps([reads("/a", canary, "c1")], { sources: [source] }, wrap);
  }
});

describe("the holders of a text", () => {
  it("are all objects with it in any version, in messages and arguments, too", async () => {
    const source = new MapSource();
    source.files.set("/a", `secret "${canary}"\n`);
    const { session, store } = await withSteps([reads("/a", "shown")], { sources: [source], systemPrompt: "none" });
    source.files.set("/a", "clean");
    const asked = call("c1", "bash", { command: `echo "${canary}"` });
    for (const answer of [answering(asked), { role: "assistant" as const, text: `it is "${canary}"` }]) {
      const results = answer.text === "" ? [result("c1", "no")] : [];
      await takeStep(session, { answer, results });
    }

    const held = await all(holdersOf(store, `"${canary}"`));

    const id = objectIdOf({ type: "file", source: at("/a") });
    expect(held).toEqual([
      { id, type: "file" },
      { id: "c1", type: "toolcall" },
      { id: "step:s:2", type: "step" },
    ]);
    await session.erase([id, "c1"], "a leaked key");
    expect((await all(holdersOf(store, canary))).map((holder) => holder.id)).toEqual(["step:s:2"]);
    await expect(all(holdersOf(store, ""))).rejects.toMatchObject({ code: "session/invalid-input" });
  });
});

describe("an erasure that fails", () => {
  it("before anything was erased changes nothing", async () => {
    const faults = failing("erase", "before");
    const { session } = await withSteps([runs(result("c1", canary))], {}, faults.wrap);
    const before = snapshot(session);
    faults.begin();

    await expect(session.erase(["c1"], "a leaked key")).rejects.toMatchObject({ code: "store/unavailable" });

    expect(await session.objects()).toMatchObject([{ text: canary }]);
    expect(snapshot(session)).toEqual(before);
  });

  it("behind the store's erasure is made good by the next call", async () => {
    const faults = failing("erase", "after");
    const { session } = await withSteps([runs(result("c1", canary))], {}, faults.wrap);
    faults.begin();

    await expect(session.erase(["c1"], "a leaked key")).rejects.toMatchObject({ code: "store/unavailable" });

    expect(await session.objects()).toMatchObject([{ text: null, textless: "erased" }]);
  });

  it("while the session loads its state again shows the text to no caller", async () => {
    const faults = failing("getMany", "before");
    const beginOnceErased = (called: string) => (called === "erase" ? faults.begin(2) : undefined);
    const wrap = (store: ObjectStore) => intercepted(faults.wrap(store), { after: beginOnceErased });
    const { session } = await withSteps([runs(result("c1", canary))], {}, wrap);

    await expect(session.erase(["c1"], "a leaked key")).rejects.toMatchObject({ code: "store/unavailable" });

    await expect(session.objects()).rejects.toMatchObject({ code: "store/unavailable" });
    await expectNoCanary(session, await session.assemble());
  });
});

describe.each([openLog, openSets])("after an erasure a random session under $layout", (renderer) => {
  it("is what it would be opened anew, and goes on alike", async () => {
    await forSeeds({ short: 10, long: 2_000, file }, async (random, seed) => {
      const now = () => 1_700_000_000_000;
      const live = await Play.open({ store: createMemoryStore({ now }), renderer, seed });
      const anew = await Play.open({ store: createMemoryStore({ now }), renderer, seed });
      const [first, then] = [randomScript(random, 1 + random.below(8)), randomScript(random, 2)];
      for (const action of first) {
        // A resumed session shows today's paths at once, an open one as it meets its files: `moved-paths.test.ts`.
        if (action.do === "mount") continue;
        await live.do(action);
        await anew.do(action);
      }
      const calls = (await live.session.objects()).filter(({ kind }) => kind === "toolcall");
      const ids = [...calls.map(({ id }) => id), ...live.steps.map(({ n }) => `step:s:${n}`)];
      const erased = random.pick(ids.length === 0 ? ["step:s:0"] : ids);

      await unlessTextless(live.session.erase([erased], "a leaked key"));
      await unlessTextless(eraseObjects(anew.stage.store, [erased], "a leaked key"));
      await anew.reopen();
      // Opened anew it has looked at its files already.
      for (const play of [live, anew]) await play.session.assemble();

      expect(snapshot(live.session)).toEqual(snapshot(anew.session));
      for (const action of then) {
        await live.do(action);
        await anew.do(action);
      }
      expect(snapshot(live.session)).toEqual(snapshot(anew.session));
    });
  });
});

/** A step in which nothing was typed is refused. */
async function unlessTextless(erasure: Promise<unknown>): Promise<void> {
  await erasure.catch((error: unknown) => {
    if (!isCmError(error, "session/unknown-object")) throw error;
  });
}

type Options = Partial<Parameters<typeof openSession>[0]>;

/** A session of one step per record. */
async function withSteps(
  records: readonly Parameters<Session["record"]>[0][],
  options: Options = {},
  wrap: (store: ObjectStore) => ObjectStore = (store) => store,
) {
  const store = createMemoryStore();
  const open = () =>
    openSession({
      store: wrap(store),
      layout: { policy: quietPolicy, renderer: openLog },
      rendererFor,
      session: "s",
      ...options,
    });
  const session = await open();
  for (const record of records) await takeStep(session, record);
  return { store, session, open };
}

async function takeStep(session: Session, record: Parameters<Session["record"]>[0]): Promise<void> {
  await session.assemble();
  await session.record(record);
}

/** Every answer that the open session gives, and what a reader of the store rebuilds. */
async function expectNoCanary(session: Session, prompt: unknown): Promise<void> {
  const { sent, log, objects } = session.view();
  const answers = [prompt, session.chat(), session.wrapper(), sent, log, [...objects]];
  answers.push(await session.objects(), await session.list({}), await session.list({ text: canary }));
  answers.push(...(await session.objects()).map(({ id }) => session.seen(id)), session.tracking());
  for (const { n } of log.map(({ step }) => ({ n: step - 1 })).filter(({ n }) => n >= 0)) {
    answers.push(await session.promptAt(n));
  }
  expect(JSON.stringify(answers)).not.toContain(canary);
}

const textOf = (prompt: { readonly messages: readonly { readonly text: string }[] }): string =>
  prompt.messages.map(({ text }) => text).join("\n");

/** A store that is out of reach for some calls, once it is told to begin. */
function failing(method: string, moment: keyof Interception) {
  let left = 0;
  const fail = (called: string) => {
    if (called !== method || left === 0) return;
    left -= 1;
    throw new CmError("store/unavailable", "The store cannot be reached.");
  };
  return {
    begin(times = 1) {
      left = times;
    },
    wrap: (store: ObjectStore) => intercepted(store, { [moment]: fail }),
  };
}

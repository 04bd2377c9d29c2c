// Verifies: SSOT 3.7, 3.12: a session goes back to any of its steps and on from there, and loses none.
import {
  CmError,
  coreDocumentTypes,
  createMemoryStore,
  isDocumentOf,
  type ObjectStore,
  payloadOf,
  type StepAddress,
  sealDocument,
} from "@cm/object-model";
import { describe, expect, it } from "vitest";
import {
  forkSession,
  listSessions,
  type OpenSessionOptions,
  openSession,
  rebuildPrompt,
  rebuildPrompts,
  returnToStep,
  type Session,
  sessionAt,
} from "../src/index.ts";
import { isDamage, verifyStore } from "../src/verify.ts";
import { all } from "./support/all.ts";
import { answering, call, result, runs, says, user } from "./support/messages.ts";
import { quietPolicy } from "./support/policies.ts";
import { openLog, rendererFor } from "./support/renderers.ts";
import { intercepted, recording } from "./support/stores.ts";

describe("going back to a step", () => {
  it("writes the two heads and the system prompt, whatever the length of the session", async () => {
    const { store } = await withSteps(40);
    const { store: recorded, commits } = recording(store);

    const returned = await returnToStep(recorded, { session: "s", n: 3 });

    expect(returned).toMatchObject({ session: "s", head: { session: "s", n: 3 }, moved: true, droppedMessages: 0 });
    expect(commits.map(({ writes }) => writes.map(({ document }) => document["xt/id"]))).toEqual([
      ["session:s", "chat:s", "system_prompt:s"],
    ]);
    expect(await headOf(store)).toMatchObject({ next_step: 40, head: { session: "s", n: 3 }, index_count: 4 });
  });

  it("opens as it was then, and goes on under the next free number", async () => {
    const { store } = await withSteps(4);
    await returnToStep(store, { session: "s", n: 1 });

    const session = await open(store);
    const n = await oneStep(session, "other");

    expect(n).toBe(4);
    expect(textsOf(session)).toEqual(["prompt 0", "prompt 1", "prompt other"]);
    expect(session.wrapper().session_index).toEqual(["call 0", "call 1", "call other"]);
    expect((await store.getMany(["step:s:4"])).get("step:s:4")?.document).toMatchObject({
      parent: { session: "s", n: 1 },
    });
  });

  it("and to a step it went back from leads on to that branch, with its pins and aliases", async () => {
    const { store, session: first } = await withSteps(2);
    await first.command({ action: "pin", id: "t2" });
    await oneStep(first, "pinned");
    await first.abandon();
    await returnToStep(store, { session: "s", n: 0 });
    await oneStep(await open(store), "other");

    const lists = [];
    for (const n of [2, 3]) {
      await returnToStep(store, { session: "s", n });
      lists.push((await (await open(store)).objects()).map(({ id, alias, pinned }) => ({ id, alias, pinned })));
    }

    expect(lists).toEqual([
      [
        { id: "call 0", alias: "t1", pinned: false },
        { id: "call 1", alias: "t2", pinned: true },
        { id: "call pinned", alias: "t3", pinned: false },
      ],
      [
        { id: "call 0", alias: "t1", pinned: false },
        { id: "call other", alias: "t2", pinned: false },
      ],
    ]);
  });

  it("before the first step begins anew under the same name", async () => {
    const { store } = await withSteps(2);
    await returnToStep(store, { session: "s", n: null });

    const session = await open(store);
    expect([session.wrapper().session_index, session.view().log]).toEqual([[], []]);
    await oneStep(session, "anew");

    expect(await headOf(store)).toMatchObject({ next_step: 3, head: { session: "s", n: 2 }, index_count: 1 });
    expect(await findings(store)).toEqual([]);
  });

  it("has the system prompt that the step was made with", async () => {
    const { store, session } = await withSteps(1);
    await session.assemble({ systemPrompt: "later" });
    await session.record(says("done"));

    const prompts = [];
    for (const n of [0, 1]) {
      await returnToStep(store, { session: "s", n });
      prompts.push((await open(store)).view().systemPrompt);
    }

    expect(prompts).toEqual(["first", "later"]);
    expect(await rebuiltHashes(store, [0, 1])).toEqual([true, true]);
  });

  it("drops what was received and not answered, also where the head stays", async () => {
    const { store, session } = await withSteps(2);
    await session.receive([user("never mind")]);
    await session.close();

    const { moved, droppedMessages } = await returnToStep(store, { session: "s", n: 1 });

    expect([moved, droppedMessages]).toEqual([true, 1]);
    expect(textsOf(await open(store))).toEqual(["prompt 0", "prompt 1"]);
  });

  it("has again what a pause had left behind the step, where that is asked for, though a later step took it up", async () => {
    const { store, session } = await withSteps(2);
    await session.receive([user("late")]);
    await session.close();
    await oneStep(await open(store), "left");

    const back = await returnToStep(store, { session: "s", n: 1 }, { withPause: true });
    const again = await returnToStep(store, { session: "s", n: 1 }, { withPause: true });
    const further = await returnToStep(store, { session: "s", n: 0 }, { withPause: true });
    const early = textsOf(await open(store));
    await returnToStep(store, { session: "s", n: 1 }, { withPause: true });

    expect([back, again, further].map(({ moved, droppedMessages }) => [moved, droppedMessages])).toEqual([
      [true, 0],
      [false, 0],
      [true, 1],
    ]);
    expect(early).toEqual(["prompt 0"]);
    expect(textsOf(await open(store))).toEqual(["prompt 0", "prompt 1", "late"]);
    expect((await all(verifyStore(store))).filter(isDamage)).toEqual([]);
  });

  it("where it stands already writes nothing", async () => {
    const { store } = await withSteps(2);
    const { store: recorded, commits } = recording(store);

    expect(await returnToStep(recorded, { session: "s", n: 1 })).toMatchObject({ moved: false });

    expect(commits).toEqual([]);
  });
});

describe("after going back", () => {
  it("a call that the left branch made is the same object, and another one with its id is not", async () => {
    const { store, session } = await withSteps(1);
    await session.assemble();
    await session.record(runs(result("call_1", "same"), result("call_2", "one thing")));
    await returnToStep(store, { session: "s", n: 0 });
    const again = await open(store);

    await again.assemble();
    await again.record(runs(result("call_1", "same"), result("call_2", "another")));

    expect(again.wrapper().session_index).toEqual(["call 0", "call_1", "call_2@s"]);
    expect((await again.objects()).map(({ text }) => text)).toEqual(["output 0", "same", "another"]);
    expect((await sessionAt(store, { session: "s", n: 1 })).objects.map(({ text }) => text)).toEqual([
      "output 0",
      "same",
      "one thing",
    ]);
  });

  it("a call that a step left open is answered anew", async () => {
    const { store, session } = await withSteps(1);
    await session.assemble();
    await session.record({ answer: answering(call("open")) });
    await session.receive([result("open", "first time")]);
    await session.assemble();
    await session.record(says("seen"));
    await returnToStep(store, { session: "s", n: 1 });
    const again = await open(store);

    await again.receive([result("open", "second time")]);
    await again.assemble();
    await again.record(says("seen again"));

    expect((await again.objects()).at(-1)).toMatchObject({ tool: "bash", text: "second time" });
  });

  it("every step of every branch is rebuilt by its number, and a verification finds nothing", async () => {
    const { store } = await withSteps(3);
    for (const n of [1, 0, 2]) {
      await returnToStep(store, { session: "s", n });
      await oneStep(await open(store), `after ${n}`);
    }

    expect(await rebuiltHashes(store, [0, 1, 2, 3, 4, 5])).toEqual([true, true, true, true, true, true]);
    expect((await all(rebuildPrompts(store, "s", rendererFor))).map(({ n }) => n)).toEqual([0, 1, 2, 5]);
    expect(await findings(store)).toEqual([]);
    expect((await all(listSessions(store)))[0]).toMatchObject({ steps: 4, turns: 4, head: { session: "s", n: 5 } });
  });

  it("the newest keyframe that its head names lies on its path", async () => {
    const { store } = await withSteps(7, { keyframeEverySteps: 2 });

    const keyframes = [];
    for (const n of [6, 4, 2, 0, 5]) {
      await returnToStep(store, { session: "s", n });
      keyframes.push((await headOf(store))?.keyframe);
    }

    expect(keyframes).toEqual(["keyframe:s:5", "keyframe:s:3", "keyframe:s:1", undefined, "keyframe:s:5"]);
    expect(await findings(store)).toEqual([]);
  });

  it("a step that was left and says something else is named, and what comes after it is not", async () => {
    const { store } = await withSteps(4);
    await forkSession(store, { session: "s", n: 1 }, { session: "fork" });
    for (const name of ["one", "two", "three"]) await oneStep(await open(store, "fork"), name);
    await returnToStep(store, { session: "s", n: 0 });
    await returnToStep(store, { session: "fork", n: 0, of: "s" });
    for (const id of ["step:s:2", "step:fork:1"]) await rewrite(store, id, { recorded_at: 7 });

    expect((await findings(store)).map(({ id, problem }) => `${id} ${problem}`)).toEqual([
      "step:fork:1 head",
      "step:s:2 head",
    ]);
  });

  it("a step that was left and erased is no damage", async () => {
    const { store } = await withSteps(4);
    await returnToStep(store, { session: "s", n: 0 });
    await store.erase(["step:s:2"], "a leaked key");

    expect((await findings(store)).filter(isDamage)).toEqual([]);
  });

  it("an erased step leaves its mark where its branch is taken up again", async () => {
    const { store } = await withSteps(3);
    await returnToStep(store, { session: "s", n: 0 });
    await oneStep(await open(store), "other");
    await oneStep(await open(store), "more");
    await store.erase(["step:s:3"], "a leaked key");

    await returnToStep(store, { session: "s", n: 4 });

    expect(textsOf(await open(store))).toEqual(["prompt 0", "[erased]", "prompt more"]);
  });
});

describe("a fork that goes back", () => {
  it("also reaches the steps that it inherited, and no others", async () => {
    const { store } = await withSteps(4);
    await forkSession(store, { session: "s", n: 2 }, { session: "fork" });
    await oneStep(await open(store, "fork"), "own");

    await returnToStep(store, { session: "fork", n: 1, of: "s" });
    const fork = await open(store, "fork");
    await oneStep(fork, "again");

    expect(textsOf(fork)).toEqual(["prompt 0", "prompt 1", "prompt again"]);
    expect(await headOf(store, "fork")).toMatchObject({ head: { session: "fork", n: 1 }, next_step: 2 });
    expect(await findings(store)).toEqual([]);
    await expect(returnToStep(store, { session: "fork", n: 3, of: "s" })).rejects.toMatchObject({
      code: "session/not-found",
    });
  });
});

describe("going back is refused or repeated", () => {
  it.each([{ n: 2 }, { n: -1 }, { n: 0.5 }, { n: 0, of: "nobody" }])("for %o, which is no step of it", async (step) => {
    const { store } = await withSteps(2);

    await expect(returnToStep(store, { session: "s", ...step })).rejects.toMatchObject({ code: "session/not-found" });
    await expect(returnToStep(store, { session: "nobody", ...step })).rejects.toMatchObject({
      code: "session/not-found",
    });
  });

  it("where nothing names a step, in a sentence", async () => {
    const { store } = await withSteps(2);

    for (const target of [null, {}, { session: "s" }, { session: "s", n: "1" }, { n: null }].map(
      (one) => one as never,
    )) {
      await expect(returnToStep(store, target)).rejects.toMatchObject({ code: "session/invalid-input" });
    }
  });

  it("names another holder of the lease, and not the caller", async () => {
    const { store, session } = await withSteps(2, { owner: "me" });
    await oneStep(session, "mine");

    const mine = await returnToStep(store, { session: "s", n: 1 }, { owner: "me" });
    const other = await returnToStep(store, { session: "s", n: 0 }, { owner: "you" });

    expect([mine.otherWriter, other.otherWriter?.owner]).toEqual([undefined, "me"]);
  });

  it("is done once where its answer is lost, and tried again where another one was faster", async () => {
    const { store } = await withSteps(3);
    let calls = 0;
    const troubled = intercepted(store, {
      async before(method) {
        if (method !== "commit") return;
        calls += 1;
        if (calls === 1) await returnToStep(store, { session: "s", n: 0 });
      },
      after(method) {
        if (method === "commit" && calls === 2) throw new CmError("store/unknown-outcome", "The answer was lost.");
      },
    });

    await returnToStep(troubled, { session: "s", n: 1 });

    expect(calls).toBe(3);
    expect(await headOf(store)).toMatchObject({ head: { session: "s", n: 1 } });
  });

  it("does not reach a session that is open: its next step begins a fork where it stands", async () => {
    const { store, session } = await withSteps(3);
    await returnToStep(store, { session: "s", n: 0 });

    await oneStep(session, "unaware");

    expect(textsOf(await open(store))).toEqual(["prompt 0"]);
    expect(textsOf(await open(store, session.session))).toEqual(["prompt 0", "prompt 1", "prompt 2", "prompt unaware"]);
    expect(await findings(store)).toEqual([]);
  });
});

type Rest = Pick<OpenSessionOptions, "keyframeEverySteps" | "owner" | "systemPrompt">;

const open = (store: ObjectStore, session = "s", rest: Rest = {}) =>
  openSession({
    store,
    layout: { policy: quietPolicy, renderer: openLog },
    rendererFor,
    session,
    ...rest,
  });

async function withSteps(count: number, rest: Rest = {}) {
  const store = createMemoryStore();
  const session = await open(store, "s", { systemPrompt: "first", ...rest });
  for (let n = 0; n < count; n += 1) await oneStep(session, `${n}`);
  return { store, session };
}

async function oneStep(session: Session, name: string): Promise<number> {
  await session.receive([user(`prompt ${name}`)]);
  await session.assemble();
  return (await session.record(runs(result(`call ${name}`, `output ${name}`)))).n;
}

const textsOf = (session: Session) => session.chat().turns.flatMap(({ user: said }) => said.map(({ text }) => text));

async function headOf(store: ObjectStore, session = "s") {
  const document = (await store.getMany([`session:${session}`])).get(`session:${session}`)?.document;
  return document !== undefined && isDocumentOf(document, "session") ? document : undefined;
}

/** The same document with other fields, sealed as if it had been written so. */
async function rewrite(store: ObjectStore, id: string, fields: Readonly<Record<string, unknown>>): Promise<void> {
  const document = (await store.getMany([id])).get(id)?.document;
  if (document === undefined) throw new Error(`There is no ${id}.`);
  const changed = sealDocument({ type: document.type, id }, { ...payloadOf(document), ...fields }, coreDocumentTypes);
  await store.commit([{ document: changed, expect: "any" }]);
}

const findings = (store: ObjectStore) => all(verifyStore(store));

async function rebuiltHashes(store: ObjectStore, numbers: readonly StepAddress["n"][]): Promise<readonly boolean[]> {
  const rebuilt = await Promise.all(numbers.map((n) => rebuildPrompt(store, { session: "s", n }, rendererFor)));
  return rebuilt.map(({ hash, recordedHash, complete }) => complete && hash === recordedHash);
}

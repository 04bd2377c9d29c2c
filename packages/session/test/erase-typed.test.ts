// Verifies: SSOT 2.8, decision 87: what was typed is erased, and the session goes on as if it had not been.
import type { IncomingUser } from "@cm/context-log";
import { createMemoryStore, isDocumentOf, type ObjectStore, stepId, withoutTexts } from "@cm/object-model";
import { beforeEach, describe, expect, it } from "vitest";
import { eraseObjects, forkSession, openSession, rebuildPrompts, sessionAt } from "../src/index.ts";
import { isDamage, verifyStore } from "../src/verify.ts";
import { all } from "./support/all.ts";
import { answering, call, result, runs, says, user } from "./support/messages.ts";
import { decides, quietPolicy } from "./support/policies.ts";
import { openLog, rendererFor } from "./support/renderers.ts";

const canary = "canary-51e2c7";

describe.each([0, 1, 3])("what was typed in step %i of four", (n) => {
  let store: ObjectStore;

  beforeEach(async () => {
    store = createMemoryStore();
    await withSteps(store, n);
  });

  it("is in no version of any object, and everything else of the step stays", async () => {
    const before = await stepOf(store, n);

    const receipt = await eraseObjects(store, [stepId({ session: "s", n })], "a leaked key");

    expect(receipt.erased).toEqual([stepId({ session: "s", n })]);
    expect(await everything(store)).not.toContain(canary);
    const { messages, replaces, content_hash: hash, ...rest } = await stepOf(store, n);
    const { messages: full, content_hash: was, ...same } = before;
    expect(rest).toEqual(same);
    expect(hash).not.toBe(was);
    expect(replaces).toEqual({
      content_hash: was,
      texts: [
        { message: 0, part: "text" },
        { message: 1, part: "text" },
        { message: 1, part: "thinking" },
      ],
    });
    expect(messages.slice(2)).toEqual(full.slice(2));
    expect(messages[1]).toMatchObject({ calls: [{ call_id: `c${n}`, object: `c${n}` }] });
  });

  it("leaves a session that verifies, opens, forks and goes on", async () => {
    const chain = await chainOf(store);
    await eraseObjects(store, [stepId({ session: "s", n })], "a leaked key");

    const findings = await all(verifyStore(store));
    const resumed = await open(store);
    const wrapper = resumed.wrapper();
    await takeStep(resumed, "next", "done");
    const forks = await Promise.all([0, 1, 2, 3].map((at) => forkSession(store, { session: "s", n: at })));
    for (const { session } of forks) await takeStep(await open(store, session), "else", "fine");

    expect(findings).toEqual([
      { id: stepId({ session: "s", n }), type: "step", problem: "erased", detail: expect.stringContaining("replaced") },
    ]);
    expect(wrapper.session_index).toEqual(["c0", "c1", "c2", "c3"]);
    expect((await all(verifyStore(store))).filter(isDamage)).toEqual([]);
    expect(chain).not.toBe(await chainOf(store));
    expect((await open(store)).view().step).toBe(5);
  });

  it("is a mark in every prompt that showed it, which says that it is not whole", async () => {
    await eraseObjects(store, [stepId({ session: "s", n })], "a leaked key");

    const rebuilt = await all(rebuildPrompts(store, "s", rendererFor));

    expect(rebuilt.map(({ complete }) => complete)).toEqual([0, 1, 2, 3].map((at) => at < n));
    expect(rebuilt.map(({ hash, recordedHash }) => hash === recordedHash)).toEqual([0, 1, 2, 3].map((at) => at < n));
    const last = JSON.stringify(rebuilt[3]?.prompt.messages);
    expect(last).toContain("[erased]");
    for (const at of [0, 1, 2, 3]) expect(last.includes(`prompt ${at}`)).toBe(at !== n);
    for (const at of [0, 1, 2]) expect(last).toContain(`output ${at}`);
    expect((await sessionAt(store, { session: "s", n: 3 })).complete).toBe(false);
    if (n > 0) expect((await sessionAt(store, { session: "s", n: n - 1 })).complete).toBe(true);
  });

  it("can be erased twice, and the second time changes nothing", async () => {
    const id = stepId({ session: "s", n });
    await eraseObjects(store, [id], "first");
    const before = await everything(store);

    const receipt = await eraseObjects(store, [id], "second");

    expect(receipt).toMatchObject({ shared: [], unknown: [] });
    expect(await everything(store)).toBe(before);
  });

  it("goes without the answer where that is to stay, which can go later", async () => {
    const id = stepId({ session: "s", n });

    await eraseObjects(store, [id], "a leaked key", { keepAnswers: true });

    const { messages } = await stepOf(store, n);
    expect(messages).toMatchObject([{ text: "" }, { text: `answer ${n} ${canary}` }, {}]);
    await eraseObjects(store, [id], "the answer, too");
    expect(await everything(store)).not.toContain(canary);
    expect((await stepOf(store, n)).replaces?.texts).toHaveLength(3);
    expect((await all(verifyStore(store))).filter(isDamage)).toEqual([]);
    await takeStep(await open(store), "next", "done");
  });
});

describe("typed text", () => {
  it("takes no fold of arguments along that a call's object has", async () => {
    const store = createMemoryStore();
    await withSteps(store, 0);
    await eraseObjects(store, [stepId({ session: "s", n: 0 })], "a leaked key");
    const policy = decides({ forms: { "1.0": { form: "reference" } } });
    const folding = await openSession({ store, layout: { policy, renderer: openLog }, rendererFor, session: "s" });
    await folding.receive([user("next")]);
    const sent = await folding.assemble();
    await folding.record(says("done"));

    const rebuilt = await folding.promptAt(4);

    expect(textOf(sent.messages[1])).toContain("folded");
    expect(rebuilt.prompt).toEqual(sent);
    expect(rebuilt.hash).toBe(rebuilt.recordedHash);
    expect((await open(store)).view().forms).toEqual(new Map([["1.0", { form: "reference" }]]));
  });

  it("goes out of an open session, which goes on, and so does another client of it", async () => {
    const store = createMemoryStore();
    await withSteps(store, 1);
    const [session, other] = [await open(store), await open(store)];
    await session.assemble();

    const receipt = await session.erase(["step:s:1"], "a leaked key");

    expect(receipt.erased).toEqual(["step:s:1"]);
    expect(JSON.stringify([await session.assemble(), session.view().log, session.chat()])).not.toContain(canary);
    await session.record(says("on"));
    await takeStep(other, "from elsewhere", "fine");
    expect((await session.promptAt(1)).complete).toBe(false);
    expect(await everything(store)).not.toContain(canary);
    expect((await all(verifyStore(store))).filter(isDamage)).toEqual([]);
    // The other one's step stands beside ours.
    expect((await open(store)).view().step).toBe(5);
  });

  it("goes out of what a fork says of it, and of the head of a paused session", async () => {
    const store = createMemoryStore();
    await withSteps(store, 3);
    const { session: fork } = await forkSession(store, { session: "s", n: 3 }, { session: "fork" });
    const forked = await open(store, fork);
    const told = "sesame";
    const at = forked.view().log.findLast(({ kind }) => kind === "user")?.at ?? -1;
    await forked.amend([{ at, text: `otherwise ${told}` }]);
    await takeStep(forked, "next", "done");
    const paused = await open(store);
    await paused.receive([user(`prompt 3 ${canary}`)]);
    await paused.close();
    expect(await everything(store, fork)).toContain(told);

    await eraseObjects(store, ["step:s:3"], "a leaked key");

    const left = (await everything(store, fork)) + (await everything(store));
    for (const gone of [canary, told]) expect(left).not.toContain(gone);
    expect((await all(verifyStore(store))).filter(isDamage)).toEqual([]);
    expect((await open(store, fork)).view().log[at]).toMatchObject({ text: "[erased]" });
    expect(textOf(await (await open(store)).assemble())).toContain("[erased]");
  });

  it("that was never there is refused, and nothing is written for the steps named beside it", async () => {
    const store = createMemoryStore();
    await withSteps(store, 1);
    const silent = await open(store);
    await silent.assemble();
    await silent.record(runs(result("c9", "output")));
    const before = await everything(store);

    for (const id of ["step:s:9", "step:s:4", "step:nobody:0"]) {
      const refusal = eraseObjects(store, ["step:s:1", id], "a leaked key");
      await expect(refusal, id).rejects.toMatchObject({ code: "session/unknown-object" });
    }

    expect(await everything(store)).toBe(before);
  });

  it("that is there yet, since the eraser died, is called unfinished; a replacement of another step, damage", async () => {
    const store = createMemoryStore();
    await withSteps(store, 1);
    const dying = { ...bound(store), erase: () => Promise.reject(new Error("died")) };
    await expect(eraseObjects(dying, ["step:s:1"], "a leaked key")).rejects.toThrow("died");

    const unfinished = await all(verifyStore(store));
    const forged = withoutTexts(
      { ...(await stepOf(store, 2)), content_hash: "0".repeat(64) },
      { roles: new Set(["user"]) },
    );
    if (forged === undefined) throw new Error("nothing to forge");
    await store.commit([{ document: forged, expect: "any" }]);

    expect(unfinished).toMatchObject([{ id: "step:s:1", problem: "unfinished" }]);
    expect(unfinished.filter(isDamage)).toEqual([]);
    const damage = (await all(verifyStore(store))).filter(isDamage);
    expect(damage).toContainEqual(expect.objectContaining({ id: "step:s:2", problem: "head" }));
    await eraseObjects(store, ["step:s:1"], "a leaked key");
    expect(await everything(store)).not.toContain(canary);
  });
});

const textOf = (prompt: unknown): string => JSON.stringify(prompt);

function bound(store: ObjectStore): ObjectStore {
  return {
    contract: store.contract,
    getMany: store.getMany.bind(store),
    commit: store.commit.bind(store),
    history: store.history.bind(store),
    find: store.find.bind(store),
    erase: store.erase.bind(store),
  };
}

async function withSteps(store: ObjectStore, secretAt: number) {
  const session = await open(store);
  for (let n = 0; n < 4; n += 1) {
    const secret = n === secretAt ? canary : "";
    await session.receive([user(`prompt ${n} ${secret}`)]);
    await session.assemble();
    const answer = answering(call(`c${n}`));
    await session.record({
      answer: { ...answer, text: `answer ${n} ${secret}`, thinking: [{ text: `thought ${n} ${secret}` }] },
      results: [result(`c${n}`, `output ${n}`)],
    });
  }
  await session.close();
}

async function takeStep(session: Awaited<ReturnType<typeof open>>, prompt: string, answer: string) {
  const message: IncomingUser = user(prompt);
  await session.receive([message]);
  await session.assemble();
  await session.record(says(answer));
}

const open = (store: ObjectStore, session = "s") =>
  openSession({ store, layout: { policy: quietPolicy, renderer: openLog }, session });

async function stepOf(store: ObjectStore, n: number) {
  const id = stepId({ session: "s", n });
  const document = (await store.getMany([id])).get(id)?.document;
  if (document === undefined || !isDocumentOf(document, "step")) throw new Error(`no step ${n}`);
  return document;
}

async function chainOf(store: ObjectStore): Promise<unknown> {
  return (await store.getMany(["session:s"])).get("session:s")?.document?.chain;
}

/** Every version of every object of the session, as text. */
async function everything(store: ObjectStore, session = "s"): Promise<string> {
  const { versions } = await store.find({ session });
  const histories = await Promise.all(versions.map(({ id }) => store.history(id, { documents: true })));
  return JSON.stringify(histories);
}

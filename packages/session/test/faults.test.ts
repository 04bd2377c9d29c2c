// Verifies: SSOT 1.4, F1, F3, F4: a call of the store that fails at any place leaves nothing half done.
import { CmError, createMemoryStore, isCmError, type ObjectStore } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { openSession, rebuildPrompts, type Session } from "../src/index.ts";
import { all } from "./support/all.ts";
import { MapSource } from "./support/map-source.ts";
import { answering, call, reads, result, runs, says, touch, user } from "./support/messages.ts";
import { quietPolicy, restlessPolicy } from "./support/policies.ts";
import { openLog, rendererFor } from "./support/renderers.ts";
import { snapshot } from "./support/snapshot.ts";
import { everythingIn, intercepted, type Method } from "./support/stores.ts";

type Fault = "before" | "after";
const calm = await played(await world());

describe("a session over a store whose n-th call fails", () => {
  const calls = calm.calls;
  const cases = (["before", "after"] as const).flatMap((fault) => calls.map((method, n) => ({ fault, method, n })));

  it("makes more than 20 calls in this scenario, of every kind it uses", () => {
    expect(calls.length).toBeGreaterThan(20);
    expect(new Set(calls)).toEqual(new Set(["getMany", "commit", "history"]));
  });

  it.each(cases)("$fault call $n ($method) is applied: repeating what failed makes up for it", async ({ fault, n }) => {
    const faulty = await played(await world({ n, fault }));

    expect(faulty.failures).toBeLessThanOrEqual(1);
    expect(faulty.state).toEqual(calm.state);
    expect(faulty.texts).toEqual(calm.texts);
    const rebuilt = await all(rebuildPrompts(faulty.store, "s", rendererFor));
    expect(rebuilt.map(({ n: step, hash, recordedHash }) => [step, hash === recordedHash])).toEqual([
      [0, true],
      [1, true],
      [2, true],
      [3, true],
    ]);
  });
});

describe("a step whose answer is lost", () => {
  it.each([1, 2, 3, 4, 7])("%i times is written once, and its repeated record gets its receipt", async (losses) => {
    const { store, lose } = losing(createMemoryStore());
    const session = await openAt(store);
    await session.receive([user("go")]);
    await session.assemble();
    lose(losses);

    const receipt = await insist(() => session.record(runs(result("c", "done"))));

    expect(receipt.n).toBe(0);
    expect(session.chat().toolcall_refs).toEqual(["c"]);
    expect((await store.history("step:s:0")).versions).toHaveLength(1);
    expect((await store.history("session:s")).versions).toHaveLength(2);
  });

  it("is settled by whatever is asked next", async () => {
    for (const next of [
      (session: Session) => session.receive([user("next")]),
      (session: Session) => session.assemble(),
      (session: Session) => session.command({ action: "pin", id: "c" }),
    ]) {
      const { store, lose } = losing(createMemoryStore());
      const session = await openAt(store);
      await session.assemble();
      lose(9);
      await expect(session.record(runs(result("c", "done")))).rejects.toMatchObject({ code: "store/unknown-outcome" });
      const before = snapshot(session);
      lose(0);

      await next(session);

      expect(before.step).toBe(0);
      expect(snapshot(session).step).toBe(1);
    }
  });

  it("keeps the commands of the step in doubt", async () => {
    const { store, lose } = losing(createMemoryStore());
    const session = await openAt(store);
    await session.assemble();
    await session.record(runs(result("c", "done")));
    await session.assemble();
    await session.command({ action: "pin", id: "c" });
    lose(9);
    await session.record(says("x")).catch(() => undefined);
    const inDoubt = session.wrapper().pinned_set;
    lose(0);

    await session.record(says("x"));

    expect([inDoubt, session.wrapper().pinned_set]).toEqual([["c"], ["c"]]);
  });

  it("does not swallow another record", async () => {
    const { store, lose } = losing(createMemoryStore());
    const session = await openAt(store);
    await session.assemble();
    lose(9);
    await session.record(says("first")).catch(() => undefined);
    lose(0);

    await expect(session.record(says("second"))).rejects.toMatchObject({ code: "session/no-request" });

    expect(session.chat().turns[0]?.assistant.map(({ text }) => text)).toEqual(["first"]);
  });

  it("begins a fork where it was not written and another writer was faster", async () => {
    const shared = createMemoryStore();
    let isDown = false;
    const session = await openAt(
      intercepted(shared, {
        before(method) {
          if (isDown && method === "commit") throw lost();
        },
      }),
    );
    isDown = true;
    await session.assemble();
    await session.record(says("mine")).catch(() => undefined);
    const faster = await openAt(shared);
    await faster.assemble();
    await faster.record(says("faster"));
    isDown = false;

    const { n, fork } = await session.record(says("mine"));

    expect([n, fork?.left, fork?.session]).toEqual([0, "s", session.session]);
    expect((await session.promptAt(0)).complete).toBe(true);
  });
});

describe("what fails for good", () => {
  it("leaves the session as it was, and the same can be asked again", async () => {
    let code: "store/unavailable" | undefined;
    const store = intercepted(createMemoryStore(), {
      before(method) {
        if (method === "commit" && code !== undefined) throw new CmError(code, "down");
      },
    });
    const session = await openAt(store);
    await session.receive([user("one")]);
    await session.assemble();
    await session.record({ answer: answering(call("late")) });
    const before = snapshot(session);
    code = "store/unavailable";

    await expect(session.receive([user("two"), result("late", "x"), user("three")])).rejects.toMatchObject({ code });
    const afterReceive = snapshot(session);
    code = undefined;
    await session.receive([user("two"), result("late", "x"), user("three")]);

    expect(afterReceive).toEqual(before);
    expect(session.view().log.slice(2)).toMatchObject([
      { text: "two" },
      { text: "x", tool: "bash" },
      { text: "three" },
    ]);
  });

  it("does not let a policy or renderer that throws change anything", async () => {
    let isBroken = false;
    const broken = () => {
      if (isBroken) throw new Error("broken");
      return {};
    };
    const policy = { ...quietPolicy, decide: broken };
    const session = await openSession({
      store: createMemoryStore(),
      layout: { policy, renderer: openLog },
      session: "s",
    });
    await session.receive([user("one")]);
    const before = snapshot(session);
    isBroken = true;

    await expect(session.assemble({ systemPrompt: "new" })).rejects.toThrow("broken");
    isBroken = false;
    const prompt = await session.assemble();

    expect(snapshot(session)).toEqual(before);
    expect(prompt.system).toBe("");
  });

  it("does not lose calls that wait behind one that fails", async () => {
    const session = await openAt(createMemoryStore());

    const outcomes = await Promise.allSettled([
      session.record(says("too early")),
      session.receive([user("one")]),
      session.assemble(),
      session.record(says("in time")),
    ]);

    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled", "fulfilled"]);
  });
});

interface World {
  readonly store: ObjectStore;
  readonly files: MapSource;
  readonly calls: Method[];
}

/** A store in which another session has used the same call ids, and of which one call fails once. */
async function world(failing: { readonly n: number; readonly fault: Fault } | undefined = undefined): Promise<World> {
  const inner = createMemoryStore({ now: () => 1_000 });
  const other = await openAt(inner, "other");
  await other.assemble();
  await other.record(runs(result("call_1", "other")));
  const calls: Method[] = [];
  let open = -1;
  const store = intercepted(inner, {
    before(method) {
      calls.push(method);
      open = calls.length - 1;
      if (failing?.fault === "before" && failing.n === open) throw new CmError("store/unavailable", "down");
    },
    after(method) {
      if (failing?.fault !== "after" || failing.n !== open || calls.length - 1 !== open) return;
      throw method === "commit" ? lost() : new CmError("store/unavailable", "down");
    },
  });
  const files = new MapSource();
  files.files.set("/a", "one").set("/b", "two");
  return { store, files, calls };
}

/** A scenario with everything in it, in which whatever fails is asked for again. */
async function played({ store, files, calls }: World) {
  let failures = 0;
  const try_ = <T>(task: () => Promise<T>): Promise<T> => insist(task, () => (failures += 1));
  const open = {
    store,
    layout: { policy: restlessPolicy(1), renderer: openLog },
    sources: [files],
    session: "s",
    owner: "test",
    now: () => 1_000,
  };
  let session = await try_(() => openSession({ ...open, systemPrompt: "first" }));
  await try_(() => session.receive([user("go")]));
  await try_(() => session.assemble());
  await try_(() => session.record(reads("/a", "one", "call_1")));
  await try_(() => session.assemble({ systemPrompt: "second" }));
  await try_(() => session.command({ action: "pin", id: "f1" }));
  await try_(() =>
    session.record({ answer: answering(call("late"), call("call_1")), results: [result("call_1", "again")] }),
  );
  files.files.set("/a", "changed");
  session = await try_(() => openSession(open));
  const late = result("late", "at last", { files: [touch("/b", "read", { startLine: 1 })] });
  await try_(() => session.receive([user("more"), late]));
  await try_(() => session.assemble());
  await try_(() => session.record(reads("/a", "changed", "call_1")));
  await try_(() => session.assemble());
  await try_(() => session.record(says("done")));
  const used = [...calls];
  const contents = [...(await everythingIn(store, ["s", "other"]))].map(([id, versions]) => [id, hashesIn(versions)]);
  return { store, failures, calls: used, state: snapshot(session), texts: contents };
}

function hashesIn(versions: string): readonly string[] {
  return [...versions.matchAll(/"contentHash":"(\w+)"/g)].map(([, hash]) => hash ?? "");
}

/** What a harness does: it asks again. */
async function insist<T>(task: () => Promise<T>, onFailure = () => {}): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await task();
    } catch (error) {
      if (attempt >= 9 || !isCmError(error) || !error.code.startsWith("store/")) throw error;
      onFailure();
    }
  }
}

/** A store that applies a step's commit and loses the answer, as often as it is told. */
function losing(inner: ObjectStore) {
  let losses = 0;
  const store = intercepted(inner, {
    after(method, [, options]) {
      if (method !== "commit" || options === undefined || losses === 0) return;
      losses -= 1;
      throw lost();
    },
  });
  return {
    store,
    lose: (times: number) => {
      losses = times;
    },
  };
}

function lost() {
  return new CmError("store/unknown-outcome", "The answer was lost.");
}

function openAt(store: ObjectStore, session = "s"): Promise<Session> {
  return openSession({
    store,
    layout: { policy: quietPolicy, renderer: openLog },
    session,
    owner: "test",
    now: () => 1_000,
  });
}

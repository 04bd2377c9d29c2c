// Verifies: decision 63: whatever becomes of the database, a session of Pi is served, and nothing is lost of it later.
import { defaultPrices } from "@cm/context-log";
import { runContextTool } from "@cm/context-tool";
import { CmError, createMemoryStore, type FilesystemBinding, type ObjectStore, type Source } from "@cm/object-model";
import { listSessions } from "@cm/session";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { BranchItem } from "../../src/branch/branch-item.ts";
import { limits } from "../../src/limits.ts";
import { linkType } from "../../src/link/link-entry.ts";
import { ManagedSession, type ManagedSessionOptions } from "../../src/managed/managed-session.ts";
import type { PiSide } from "../../src/pi/pi-side.ts";
import type { PiMessage } from "../../src/pi/pi-types.ts";
import { Branch } from "../support/branch.ts";
import { foldedLayout } from "../support/folded-layout.ts";

const plain = (text: string) => ({ text, count: 0 });
const binding: FilesystemBinding = { type: "filesystem", filesystemId: "f".repeat(64), path: "/a.ts" };

/** A file system in which every file says the same. */
const files: Source<FilesystemBinding> = {
  ...{ contract: "source/1", type: "filesystem", parseBinding: () => binding },
  describe: ({ filesystemId: namespace, path }) => ({ namespace, path, display: path }),
  observe: async (asked) =>
    asked.map(() => ({ kind: "present", sourceHash: "1", content: { text: "text" }, state: { sourceHash: "1" } })),
};

type OpenStore = ManagedSessionOptions["openStore"];
type Opened = Awaited<ReturnType<OpenStore>>;

const openedOver = (store: ObjectStore): Opened => ({
  ...{ store, state: () => ({ queued: 0 }), close: async () => {}, isThere: async () => true },
});

const sessions: ManagedSession[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const session of sessions.splice(0)) await session.close();
});

function managed(branch: Branch, openStore: OpenStore, more: Partial<PiSide> = {}): ManagedSession {
  const session = new ManagedSession({
    ...{ side: branch.side(more), redact: plain, storePlace: "memory", openStore },
    sessionOptions: () => ({
      ...{ sources: [files], redact: plain, layout: foldedLayout, prices: defaultPrices, headChars: 9, discover: [] },
      touchesOf: async (_answer: BranchItem, results: readonly BranchItem[]) =>
        results.map(() => [{ binding, as: "read" as const }]),
    }),
  });
  sessions.push(session);
  return session;
}

const over =
  (store: ObjectStore): OpenStore =>
  async () =>
    openedOver(store);
const request = (session: ManagedSession, branch: Branch) => session.messagesFor(branch.messages, {});

async function stored(store: ObjectStore) {
  const found = [];
  for await (const session of listSessions(store)) found.push(session);
  return found;
}

const linksOn = (branch: Branch) =>
  branch.entries.flatMap((entry) => (entry.type === "custom" && entry.customType === linkType ? [entry.data] : []));

const shown = (messages: readonly PiMessage[]): string => JSON.stringify(messages);

/** A database that cannot be opened until it is let. */
function closedStore(store: ObjectStore): { readonly openStore: OpenStore; isOpen: boolean } {
  const door = {
    isOpen: false,
    openStore: async () => {
      if (!door.isOpen) throw new CmError("store/unavailable", "It is locked.");
      return openedOver(store);
    },
  };
  return door;
}

/** A session that was asked once, and whose first answer has a call with its result. */
async function afterOneCall(openStore?: ManagedSessionOptions["openStore"]) {
  const [store, branch] = [createMemoryStore(), new Branch()];
  const session = managed(branch, openStore ?? over(store));
  branch.ask("begin");
  await request(session, branch);
  branch.call("c1", { output: "one" });
  return { store, branch, session };
}

it("a turn that a line of the prompt names is shown by the tool of the model", async () => {
  const { branch, session } = await afterOneCall();
  await request(session, branch);

  const answer = await runContextTool(session, { action: "show", id: "turn1" }, {});

  expect(answer.text).toMatch(/^Turn 1, with 1 call, all \d+ lines:\n/);
  expect(answer.text).toContain("begin");
  expect(await session.omittedTurns()).toBeUndefined();
});

describe("a session that another program wrote", () => {
  it("goes on in a fork, to which the branch is linked at once", async () => {
    const { store, branch, session } = await afterOneCall();
    await request(session, branch);
    const copy = new Branch();
    copy.entries.push(...structuredClone(branch.entries));
    const other = managed(copy, over(store));
    copy.call("c2", { output: "of the other" });
    await request(other, copy);
    const left = session.sessionId;
    branch.call("c3", { output: "of this one" });

    const messages = await request(session, branch);

    const fork = { session: session.sessionId, left, from: { session: left, n: 0 } };
    expect([session.forked(), other.forked(), other.sessionId]).toEqual([fork, undefined, left]);
    expect(linksOn(branch).at(-1)).toEqual({ v: 1, session: session.sessionId, piSession: "pi-1", n: 0 });
    expect(shown(messages)).not.toContain("of the other");
    expect((await stored(store)).map(({ session: name, steps }) => [name, steps])).toEqual([
      [left, 2],
      [session.sessionId, 2],
    ]);
  });

  it("has its own outputs, where the other has calls of the same ids", async () => {
    const { store, branch, session } = await afterOneCall();
    await request(session, branch);
    const copy = new Branch();
    copy.entries.push(...structuredClone(branch.entries));
    branch.call("c2", { output: "of the one" });
    await request(session, branch);
    await session.close();
    copy.call("c2", { output: "of the other" });
    copy.call("c3", { output: "next" });
    const other = managed(copy, over(store));

    await request(other, copy);

    const { versions } = await store.find({ type: "toolcall" }, { documents: true });
    const outputs = versions.map(({ document }) => document?.content);
    expect(outputs).toEqual(expect.arrayContaining(["one", "of the one", "of the other", "next"]));
    const shown = await Promise.all(["t1", "t2", "t3"].map(async (alias) => (await other.show(alias))?.text));
    expect(shown).toEqual(["one", "of the other", "next"]);
  });

  it("keeps what waited when it is closed in a fork, which the branch leads to", async () => {
    const { store, branch, session } = await afterOneCall();
    await request(session, branch);
    const copy = new Branch();
    copy.entries.push(...structuredClone(branch.entries));
    const other = managed(copy, over(store));
    copy.call("c2", { output: "of the other" });
    await request(other, copy);
    branch.ask("not answered");
    await session.command({ action: "pin", id: "t1" });

    await session.close();

    const reopened = managed(branch, over(store));
    await request(reopened, branch);
    expect(reopened.sessionId).toMatch(/~/);
    expect((await reopened.list({ pinned: true })).objects.map(({ alias }) => alias)).toEqual(["t1"]);
    expect((await stored(store)).length).toBe(2);
  });
});

describe("calls of one answer with one id", () => {
  it.each(["call_0", ""])(
    "keep their arguments and results apart, also those of a call that was cut (%j)",
    async (id) => {
      const [store, branch] = [createMemoryStore(), new Branch()];
      const first = managed(branch, over(store));
      branch.ask("begin");
      await request(first, branch);
      branch.callAlike(id, ["a.ts", "b.ts", "c.ts"], ["one\nof two", "two\nof two"]);
      const made = await request(first, branch);
      await first.close();
      branch.ask("go on");
      const resumed = managed(branch, over(store));

      const again = await request(resumed, branch);

      for (const [, answer, ...results] of [made, again]) {
        expect(answer).toMatchObject({
          content: ["a.ts", "b.ts", "c.ts"].map((path) => ({ id, arguments: { path } })),
        });
        const behind = results.filter((message) => message.role === "toolResult");
        expect(behind.map(({ isError }) => isError)).toEqual([false, false, true]);
      }
      expect(shown(made)).toMatch(/one.*two/);
      expect((await stored(store)).map(({ steps }) => steps)).toEqual([1]);
    },
  );
});

describe("an answer or a result of an odd shape", () => {
  const deep = JSON.parse(`${'{"a":'.repeat(300)}1${"}".repeat(300)}`) as object;
  const odd = { nothing: null, list: ["a"], deep, "no number": { path: "a.ts", limit: Number.POSITIVE_INFINITY } };
  it.each(Object.entries(odd))("keeps no step from the database: arguments, %s", async (_what, args) => {
    const [store, branch] = [createMemoryStore(), new Branch()];
    const session = managed(branch, over(store));
    branch.ask("begin");
    await request(session, branch);
    branch.call("c1", { output: "one", args });

    const sent = await request(session, branch);

    expect(session.health).toEqual({ state: "ok", unwritten: 0 });
    expect(sent[1]).toMatchObject({ content: [{ id: "c1", arguments: args }] });
  });

  it("keeps no step from the database: no content", async () => {
    const { branch, session } = await afterOneCall();
    const result = branch.entries.at(-1);
    if (result?.type === "message") Reflect.set(result.message, "content", null);

    const sent = await request(session, branch);

    expect(session.health).toEqual({ state: "ok", unwritten: 0 });
    expect(shown(sent)).toContain("cm_context show t1");
  });
});

describe("while the database cannot be opened", () => {
  it("a session in memory stands in, and what it had is filled in when it opens, wishes too", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const store = createMemoryStore();
    const door = closedStore(store);
    const { branch, session } = await afterOneCall(door.openStore);

    const meanwhile = await request(session, branch);
    const pinned = await session.command({ action: "pin", id: "f1" });

    expect(shown(meanwhile)).toContain("cm_context show t1");
    expect(pinned.done).toBe(true);
    expect(session.health).toMatchObject({ state: "offline", reason: "It is locked.", unwritten: 1 });
    expect([session.sessionId, linksOn(branch)]).toEqual([undefined, []]);

    door.isOpen = true;
    await vi.advanceTimersByTimeAsync(limits.retryMsMax);
    await request(session, branch);

    expect(session.health).toEqual({ state: "ok", unwritten: 0 });
    const { objects } = await session.list({});
    expect(objects.find(({ alias }) => alias === "f1")).toMatchObject({ pinned: true });
    expect((await stored(store)).map(({ steps }) => steps)).toEqual([1]);
    expect(linksOn(branch)).toMatchObject([{ session: session.sessionId, piSession: "pi-1" }]);
  });

  it("a wish holds for the call that was meant, also where another session has one of that id", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const [store, others, branch] = [createMemoryStore(), new Branch(), new Branch()];
    const other = managed(others, over(store));
    others.ask("begin");
    others.call("c1", { output: "other" });
    await request(other, others);
    const door = closedStore(store);
    const session = managed(branch, door.openStore);
    branch.ask("begin");
    branch.call("c1", { output: "one" });
    branch.call("c2", { output: "two" });
    await request(session, branch);
    await session.command({ action: "pin", id: "t1" });

    door.isOpen = true;
    await vi.advanceTimersByTimeAsync(limits.retryMsMax);
    await request(session, branch);

    const { objects } = await session.list({ pinned: true });
    expect(session.health.state).toBe("ok");
    expect(objects.map(({ id, alias }) => [id, alias])).toEqual([[`c1@${session.sessionId}`, "t1"]]);
    expect((await other.list({ pinned: true })).objects).toEqual([]);
  });

  it("what comes too late is closed again: nothing keeps Pi from its end", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const branch = new Branch();
    const late = Promise.withResolvers<Opened>();
    const closed = Promise.withResolvers<void>();
    const session = managed(branch, () => late.promise);
    branch.ask("begin");

    const ending = session.close();
    await vi.advanceTimersByTimeAsync(limits.closeMs * 3);
    await ending;
    late.resolve({ ...openedOver(createMemoryStore()), close: async () => closed.resolve() });

    await closed.promise;
  });
});

describe("a database that hangs", () => {
  it("keeps neither a request nor the end for longer than the bounds", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const branch = new Branch();
    const store = createMemoryStore();
    let isHanging = false;
    const hung = new Proxy(store, {
      get(target, name) {
        const part: unknown = Reflect.get(target, name);
        if (typeof part !== "function") return part;
        return (...args: readonly unknown[]) => (isHanging ? new Promise(() => {}) : Reflect.apply(part, target, args));
      },
    });
    const session = managed(branch, over(hung));
    branch.ask("begin");
    await request(session, branch);
    branch.call("c1", { output: "one" });
    isHanging = true;

    let sent: readonly PiMessage[] | undefined;
    void request(session, branch).then((messages) => {
      sent = messages;
    });
    await vi.advanceTimersByTimeAsync(limits.openMs + limits.promptMs);
    expect(shown(sent ?? [])).toContain("one");
    let isClosed = false;
    void session.close().then(() => {
      isClosed = true;
    });
    await vi.advanceTimersByTimeAsync(limits.closeMs * 4);

    expect(isClosed).toBe(true);
    sessions.length = 0;
  });
});

describe("the session of a branch", () => {
  it("is the same one in the next process of the same session of Pi", async () => {
    const { store, branch, session: first } = await afterOneCall();
    await first.close();
    const id = first.sessionId;

    const second = managed(branch, over(store));
    branch.ask("go on");
    const sent = await request(second, branch);

    expect(second.sessionId).toBe(id);
    expect(shown(sent)).toContain("cm_context show t1");
    expect((await stored(store)).map(({ steps }) => steps)).toEqual([1]);
  });

  it("is a fork where another session of Pi wrote the link", async () => {
    const { store, branch, session: first } = await afterOneCall();
    await first.close();

    const fork = managed(branch, over(store), { piSession: "pi-2" });
    branch.ask("go on");
    await request(fork, branch);

    expect(fork.sessionId).not.toBe(first.sessionId);
    const forks = (await stored(store)).filter(({ forkedFrom }) => forkedFrom !== undefined);
    expect(forks.map(({ session }) => session)).toEqual([fork.sessionId]);
    expect(linksOn(branch).at(-1)).toMatchObject({ session: fork.sessionId, piSession: "pi-2" });
  });

  it.each(["pi-1", "pi-2"])(
    "is filled in where the linked one is not in this database (link of %s)",
    async (piSession) => {
      const [store, branch] = [createMemoryStore(), new Branch()];
      branch.side().append(linkType, { v: 1, session: "elsewhere", piSession, n: 7 });
      branch.ask("begin");
      branch.call("c1", { output: "one" });

      const session = managed(branch, over(store));
      const sent = await request(session, branch);

      expect(shown(sent)).toContain("cm_context show t1");
      expect((await stored(store)).map(({ steps }) => steps)).toEqual([1]);
      expect(session.health.state).toBe("ok");
    },
  );

  it("goes where /tree goes, and back", async () => {
    const { store, branch, session } = await afterOneCall();
    await session.settle();
    const fork = branch.entries.length;
    branch.ask("this way");
    await request(session, branch);
    branch.call("c2", { output: "two" });
    await session.settle();
    const left = branch.entries.splice(fork);

    branch.ask("that way");
    const sent = await request(session, branch);

    expect(left.length).toBeGreaterThan(0);
    expect(shown(sent)).toContain("that way");
    expect(shown(sent)).not.toMatch(/this way|two/);
    expect(await stored(store)).toHaveLength(1);
  });

  it("is linked to a step that was written after the end of its turn", async () => {
    const store = createMemoryStore();
    const written = Promise.withResolvers<void>();
    const commit = store.commit.bind(store);
    const { branch, session } = await afterOneCall(async () => openedOver(store));
    store.commit = async (...given) => {
      await written.promise;
      return commit(...given);
    };
    await session.settle(0);
    expect(linksOn(branch)).toMatchObject([{ session: session.sessionId }]);

    written.resolve();
    await session.inside();

    await expect.poll(() => linksOn(branch).at(-1)).toMatchObject({ session: session.sessionId, n: 0 });
  });

  it("is a new one where prompt and branch turn out not to belong together", async () => {
    const { branch, session } = await afterOneCall();
    await request(session, branch);
    const old = session.sessionId;
    const [said, ...behind] = branch.entries.splice(0);
    const changed = JSON.parse(JSON.stringify(behind).replaceAll('"c1"', '"c9"')) as typeof behind;
    branch.entries.push(...(said === undefined ? [] : [said]), ...changed);
    branch.ask("go on");

    const sent = await request(session, branch);

    expect(shown(sent)).toMatch(/"c9"[\s\S]*cm_context show t1/);
    expect(session.sessionId).not.toBe(old);
    expect(session.health.state).toBe("ok");
  });
});

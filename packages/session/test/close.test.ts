// Verifies: SSOT 3.1, 3.6, F4, F6: a closed session is found as it was, with all that no step says yet.
import { emptySets } from "@cm/context-log/state";
import {
  CmError,
  isCmError,
  isDocumentOf,
  type ObjectStore,
  objectIdOf,
  type Source,
  type SourceBinding,
} from "@cm/object-model";
import { openSqliteStore } from "@cm/store-sqlite";
import { describe, expect, it } from "vitest";
import { limits, type OpenSessionOptions, openSession, rebuildPrompts, type Session } from "../src/index.ts";
import { fittingChanges } from "../src/step/pending.ts";
import { all } from "./support/all.ts";
import { bothStores, openSqliteFile } from "./support/both-stores.ts";
import { quietly } from "./support/layouts.ts";
import { at, MapSource, present } from "./support/map-source.ts";
import { call, reads, result, runs, says, touch, user } from "./support/messages.ts";
import { decides, quietPolicy } from "./support/policies.ts";
import { openLog, openSets, rendererFor } from "./support/renderers.ts";
import { snapshot } from "./support/snapshot.ts";
import { intercepted, recording } from "./support/stores.ts";

describe.each(bothStores)("a session that is closed, in $name", ({ open }) => {
  it.each([openLog, openSets])("is found as it was, under $layout", async (renderer) => {
    const store = open();
    const world = await withEverythingPending(store, renderer);
    const before = snapshot(world.session);

    await world.session.close();
    const resumed = await world.reopen();

    expect(resumed.opened).toMatchObject({ continued: true, pendingMessages: 3 });
    expect(snapshot(resumed)).toEqual(before);
    expect((await headOf(store)).status).toBe("active");
  });

  it("makes the same next step as one that went on", async () => {
    const [one, other] = [await withEverythingPending(open(), openLog), await withEverythingPending(open(), openLog)];
    await one.session.close();
    const resumed = await one.reopen();

    for (const session of [resumed, other.session]) {
      await session.assemble({ cache: "cold" });
      await session.record(says("on"));
    }

    const said = async (store: ObjectStore) => {
      const { basis: _basis, content_hash: _hash, ...step } = await stepOf(store, 1);
      return step;
    };
    expect(await said(one.store)).toEqual(await said(other.store));
    expect(snapshot(resumed)).toEqual(snapshot(other.session));
    expect(await headOf(one.store)).not.toHaveProperty("pending");
    const rebuilt = await all(rebuildPrompts(one.store, "s", rendererFor));
    expect(rebuilt.filter(({ hash, recordedHash, complete }) => hash !== recordedHash || !complete)).toEqual([]);
  });

  it("is found again where its next process died before a step, and where it is closed again", async () => {
    const world = await withEverythingPending(open(), openLog);
    const before = snapshot(world.session);
    await world.session.close();
    await (await world.reopen()).abandon();
    await (await world.reopen()).close();

    expect(snapshot(await world.reopen())).toEqual(before);
  });

  it("writes one commit with everything in it, and gives up its lease", async () => {
    const { store, commits } = recording(open());
    const world = await withEverythingPending(store, openLog);
    commits.length = 0;

    await world.session.close();

    expect(
      commits.map(({ writes }) => writes.map(({ document }) => document["xt/id"].replace(/:[0-9a-f]{64}$/, ""))),
    ).toEqual([["attachment", "system_prompt:s", "session:s", "lease:s"]]);
    expect(await headOf(store)).toMatchObject({
      status: "paused",
      next_step: 1,
      pending: {
        messages: [{ text: "look" }, { role: "tool", object: "late" }, { text: "and this" }],
        touches: [{ as: "read", start_line: 2 }],
        redactions: 1,
      },
    });
    expect((await store.getMany(["lease:s"])).get("lease:s")?.document).toMatchObject({ expires_at: 1_000 });
    await expect(world.session.receive([user("late")])).rejects.toMatchObject({ code: "session/closed" });
  });
});

describe("closing", () => {
  it("takes a request's decision back; what the agent asked for since stays", async () => {
    const store = bothStores[0]?.open() as ObjectStore;
    const first = await openAt(store, { layout: quietly(openSets) });
    await first.assemble();
    await first.record(runs(result("a", "text"), result("b", "text")));
    const session = await openAt(store, { layout: { policy: decides({ deactivate: ["a"] }), renderer: openSets } });
    await session.assemble();
    const decided = session.wrapper().active_set;
    await session.command({ action: "pin", id: "b" });

    await session.close();
    const resumed = await openAt(store, { layout: quietly(openSets) });

    expect(decided).toEqual(["b"]);
    expect(resumed.wrapper()).toMatchObject({ active_set: ["a", "b"], pinned_set: ["b"] });
  });

  it("of a session in which nothing is pending writes the heads and the lease alone", async () => {
    const { store, commits } = recording(bothStores[0]?.open() as ObjectStore);
    const session = await openAt(store);
    commits.length = 0;

    await session.close();

    expect(commits.map(({ writes }) => writes.map(({ document }) => document.type))).toEqual([["session", "lease"]]);
    expect(await headOf(store)).not.toHaveProperty("pending");
  });

  it("writes no lease that is over", async () => {
    const { store, commits } = recording(bothStores[0]?.open() as ObjectStore);
    const session = await openAt(store, { leaseMs: 0 });
    commits.length = 0;

    await session.close();

    expect(commits.map(({ writes }) => writes.map(({ document }) => document.type))).toEqual([["session"]]);
  });

  it("lets in nothing behind it, and ends what was asked before", async () => {
    const store = bothStores[0]?.open() as ObjectStore;
    const session = await openAt(store);

    const outcomes = await Promise.allSettled([
      session.receive([user("before")]),
      session.close(),
      session.receive([user("behind")]),
    ]);

    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
    expect((await openAt(store)).opened.pendingMessages).toBe(1);
  });

  it("that fails leaves the session open, and can be asked for again", async () => {
    let isDown = true;
    const inner = bothStores[0]?.open() as ObjectStore;
    await openAt(inner);
    const store = intercepted(inner, {
      before(method) {
        if (isDown && method === "commit") throw new CmError("store/unavailable", "down");
      },
    });
    const session = await openAt(store);
    await session.receive([user("one")]);

    await expect(session.close()).rejects.toMatchObject({ code: "store/unavailable" });
    await session.receive([user("two")]);
    isDown = false;
    await session.close();

    expect((await openAt(inner)).opened.pendingMessages).toBe(2);
  });

  it.each([1, 2, 3, 4, 7])("whose answer is lost %i times is written once", async (losses) => {
    const inner = bothStores[0]?.open() as ObjectStore;
    let left = 0;
    const store = intercepted(inner, {
      after(method) {
        if (method !== "commit" || left === 0) return;
        left -= 1;
        throw new CmError("store/unknown-outcome", "The answer was lost.");
      },
    });
    const session = await openAt(store);
    await session.receive([user("one")]);
    left = losses;

    for (let isDone = false; !isDone; ) {
      isDone = await session.close().then(
        () => true,
        (error) => !isCmError(error, "store/unknown-outcome"),
      );
    }

    const { versions } = await inner.history("session:s");
    expect(versions).toHaveLength(2);
    expect((await openAt(inner)).opened.pendingMessages).toBe(1);
  });

  it("twice, at once or one after the other, is closing once", async () => {
    const { store, commits } = recording(bothStores[0]?.open() as ObjectStore);
    const session = await openAt(store);
    commits.length = 0;

    await Promise.all([session.close(), session.close()]);
    await session.close();
    await session.abandon();

    expect(commits).toHaveLength(1);
  });

  it.each(["close", "abandon"] as const)("by %s refuses every later call", async (how) => {
    const session = await openAt(bothStores[0]?.open() as ObjectStore);
    await session[how]();

    const calls = [
      () => session.receive([]),
      () => session.assemble(),
      () => session.record(says("done")),
      () => session.command({ action: "pin", id: "t1" }),
      () => session.adopt("f1"),
      () => session.objects(),
      () => session.list({}),
      () => session.promptAt(0),
      () => session.erase(["t1"], "a test"),
    ];

    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: "session/closed" });
  });
});

describe("abandoning", () => {
  it("writes nothing: what no step says is lost, and the lease holds as if the process had died", async () => {
    const { store, commits } = recording(bothStores[0]?.open() as ObjectStore);
    const session = await openAt(store, { systemPrompt: "first" });
    await session.receive([user("lost")]);
    commits.length = 0;

    await session.abandon();
    await session.close();

    expect(commits).toEqual([]);
    const resumed = await openAt(store, { owner: "another" });
    expect(resumed.opened).toMatchObject({ pendingMessages: 0, otherWriter: { owner: "test" } });
  });

  it("ends a session that cannot be closed, since its store is away", async () => {
    let isDown = false;
    const inner = bothStores[0]?.open() as ObjectStore;
    const store = intercepted(inner, {
      before(method) {
        if (isDown && method === "commit") throw new CmError("store/unavailable", "down");
      },
    });
    const session = await openAt(store);
    isDown = true;

    await expect(session.close()).rejects.toMatchObject({ code: "store/unavailable" });
    await session.abandon();

    await expect(session.receive([])).rejects.toMatchObject({ code: "session/closed" });
  });
});

describe("closing beside another writer", () => {
  it("keeps what it received in a fork, and loses nothing of either", async () => {
    const store = bothStores[0]?.open() as ObjectStore;
    const [mine, theirs] = [await openAt(store), await openAt(store)];
    await mine.receive([user("mine")]);
    await theirs.receive([user("theirs")]);
    await theirs.assemble();
    await theirs.record(runs(result("t", "x")));

    await mine.close();
    const resumed = await openAt(store, { session: mine.session });

    expect(resumed.view().log).toMatchObject([{ text: "mine" }]);
    expect(await headOf(store)).not.toHaveProperty("pending");
  });

  it("is repeated as a fork where that one is faster between the look and the commit", async () => {
    const inner = bothStores[0]?.open() as ObjectStore;
    const theirs = await openAt(inner);
    let races = 0;
    const store = intercepted(inner, {
      async before(method) {
        if (method !== "commit" || races === 0) return;
        races -= 1;
        await theirs.assemble();
        await theirs.record(says("faster"));
      },
    });
    const mine = await openAt(store);
    await mine.receive([user("mine")]);
    races = 3;

    await mine.close();

    expect([races, (await headOf(inner)).next_step]).toEqual([1, 2]);
    expect((await openAt(inner, { session: mine.session })).opened.pendingMessages).toBe(1);
  });

  it("stays active while that one holds the lease", async () => {
    const store = bothStores[0]?.open() as ObjectStore;
    const holder = await openAt(store, { owner: "holder" });
    const guest = await openAt(store, { owner: "guest" });
    await guest.receive([user("from the guest")]);

    await guest.close();
    const meanwhile = await headOf(store);
    await holder.assemble();
    await holder.record(says("on"));
    await holder.close();

    expect([meanwhile.status, (await headOf(store)).status]).toEqual(["active", "paused"]);
    expect((await openAt(store)).opened.pendingMessages).toBe(1);
  });

  it("keeps what both left, in the order in which they did", async () => {
    const store = bothStores[0]?.open() as ObjectStore;
    const [one, two] = [await openAt(store), await openAt(store)];
    await one.receive([user("one")]);
    await two.receive([user("two")]);

    await one.close();
    await two.close();
    const resumed = await openAt(store);

    expect(resumed.view().log).toMatchObject([{ text: "one" }, { text: "two" }]);
  });

  it("keeps each once, also where the answer is lost and it is asked for again", async () => {
    const inner = bothStores[0]?.open() as ObjectStore;
    let left = 0;
    const store = intercepted(inner, {
      after(method) {
        if (method !== "commit" || left === 0) return;
        left -= 1;
        throw new CmError("store/unknown-outcome", "The answer was lost.");
      },
    });
    const [one, two] = [await openAt(inner), await openAt(store)];
    await one.receive([user("one")]);
    await two.receive([user("two")]);
    await one.close();
    left = limits.commitRepeatsMax + 1;

    await expect(two.close()).rejects.toMatchObject({ code: "store/unknown-outcome" });
    await two.close();

    expect((await openAt(inner)).view().log).toMatchObject([{ text: "one" }, { text: "two" }]);
  });

  it("lets two clients go on from there, the second one in a fork", async () => {
    const store = bothStores[0]?.open() as ObjectStore;
    const first = await openAt(store);
    await first.receive([user("go on")]);
    await first.close();
    const [one, two] = await Promise.all([openAt(store), openAt(store)]);

    for (const session of [one, two]) {
      await session.assemble();
      await session.record(says("on"));
    }

    expect([one, two].map((session) => session.chat().turn_count)).toEqual([1, 1]);
    expect([one.session, two.session]).toEqual(["s", expect.stringMatching(/^s~/)]);
    for (const { session } of [one, two]) {
      expect(await headOf(store, session)).toMatchObject({ next_step: 1, status: "active" });
      expect(await headOf(store, session)).not.toHaveProperty("pending");
    }
  });
});

describe("what was pending", () => {
  it("is looked at with all other files: a file that only a late result named, too", async () => {
    const world = await withEverythingPending(bothStores[0]?.open() as ObjectStore, openLog);
    await world.session.close();
    world.files.files.set("/b", "changed");

    await world.reopen();

    const { versions } = await world.store.history(objectIdOf({ type: "file", source: at("/b") }), { documents: true });
    expect(versions.map(({ document }) => document?.content)).toEqual(["changed", "c\nd"]);
  });

  it("tells of such a file what others made of it since, and not what the late result itself left", async () => {
    const store = bothStores[0]?.open() as ObjectStore;
    const files = new MapSource();
    const some = { sources: [files] };
    const session = await openAt(store, some);
    for (const path of ["/own", "/others"]) {
      files.files.set(path, "old");
      await session.assemble();
      await session.record(reads(path, "old", path));
    }
    await session.assemble();
    await session.record({ answer: { role: "assistant", text: "", calls: [call("late")] } });
    for (const path of ["/own", "/others"]) files.files.set(path, "edited");
    await session.receive([result("late", "edited", { files: [touch("/own", "edited"), touch("/others", "edited")] })]);
    await session.close();
    files.files.set("/others", "theirs");

    const resumed = await openAt(store, some);

    expect(resumed.opened.report?.changed.map(({ path }) => path)).toEqual(["/others"]);
    const texts = (await resumed.objects()).filter(({ kind }) => kind === "file").map(({ path, text }) => [path, text]);
    expect(texts).toEqual(
      expect.arrayContaining([
        ["/own", "edited"],
        ["/others", "theirs"],
      ]),
    );
  });

  it("keeps how such a file was as its source tells that, which need be no SHA-256", async () => {
    const store = bothStores[0]?.open() as ObjectStore;
    const tagged: Source = {
      ...{ contract: "source/1", type: "tagged" },
      parseBinding: (binding) => binding as SourceBinding,
      describe: () => ({ namespace: "fs", path: "/tagged", display: "/tagged" }),
      observe: async () => [{ ...present("text"), sourceHash: '"an-etag"', state: { sourceHash: '"an-etag"' } }],
    };
    const session = await openAt(store, { sources: [tagged] });
    await session.assemble();
    await session.record({ answer: { role: "assistant", text: "", calls: [call("later")] } });
    const binding = { ...at("/tagged"), type: "tagged" };
    await session.receive([result("later", "text", { files: [{ binding, as: "read" }] })]);

    await session.close();

    expect((await headOf(store)).pending?.touches).toEqual([{ source: binding, as: "read", source_hash: '"an-etag"' }]);
  });

  it("leaves its place where it was erased meanwhile", async () => {
    const world = await withEverythingPending(bothStores[0]?.open() as ObjectStore, openLog);
    await world.session.close();
    await world.store.erase(["late"], "a test");

    const resumed = await world.reopen();
    await resumed.assemble();
    const { n } = await resumed.record(says("on"));

    expect(resumed.view().log.find((entry) => entry.kind === "result" && entry.object === "late")).toMatchObject({
      text: null,
    });
    expect((await resumed.promptAt(n)).complete).toBe(false);
  });

  it("comes back with the file that was read on request, and the one that was adopted", async () => {
    const store = bothStores[0]?.open() as ObjectStore;
    const files = new MapSource();
    files.files.set("/theirs", "theirs").set("/listed", "listed");
    const some = { sources: [files], discover: [{ type: "filesystem", namespace: "fs", pathPrefix: "/" }] };
    const other = await openAt(store, { sources: [files], session: "other" });
    await other.assemble();
    await other.record(reads("/theirs", "theirs"));
    const session = await openAt(store, some);
    await session.assemble();
    await session.record(runs(result("ls", "x", { files: [touch("/listed", "discovered")] })));
    const { foreign = [] } = await session.list({});
    await session.adopt(foreign[0]?.id ?? "");
    await session.command({ action: "activate", id: "f1" });
    await session.close();
    files.files.clear();
    files.unreachable.add("/theirs").add("/listed");

    const resumed = await openAt(store, some);

    expect(resumed.opened.report?.changed).toEqual([]);
    const texts = (await resumed.objects()).filter(({ kind }) => kind === "file").map(({ path, text }) => [path, text]);
    expect(texts).toEqual([
      ["/listed", "listed"],
      ["/theirs", "theirs"],
    ]);
  });
});

describe("a database that can only be read", () => {
  it("opens sessions, closed ones, too, which can only be abandoned", async () => {
    const { path, store } = openSqliteFile();
    const session = await openAt(store);
    await session.receive([user("go")]);
    await session.close();
    await store.close();
    const readOnly = openSqliteStore({ path, readOnly: true });

    const reader = await openAt(readOnly);
    await reader.receive([user("on")]);
    const refusal = await reader.close().catch((error) => error.code);
    await reader.abandon();
    await readOnly.close();

    expect(reader.view().log).toMatchObject([{ text: "go" }, { text: "on" }]);
    expect(refusal).toMatch(/^store\//);
  });
});

describe("pending changes of sets that moved meanwhile", () => {
  const ids = (...some: readonly string[]) => new Set(some);
  const sets = { ...emptySets(), index: ids("a", "b"), pool: ids("a"), active: ids("a") };

  it.each([
    [
      "all of it where nothing moved",
      { index: { added: ["c"] }, pool: { added: ["c", "b"] }, pinned: { added: ["b"] } },
    ],
    [
      "nothing of objects that are not there",
      { pool: { added: ["x"] }, pinned: { added: ["x"] }, requested: { added: ["x"] } },
      {},
    ],
    ["nothing twice", { index: { added: ["a"] }, pool: { added: ["a"] }, active: { added: ["a"] } }, {}],
    ["no pin outside the pool", { pinned: { added: ["b"] } }, {}],
    ["no removal of what is shown", { pool: { removed: ["a"] } }, {}],
    ["a removal with what it needs", { pool: { removed: ["a"] }, active: { removed: ["a"] } }],
    ["no removal of what is gone", { pinned: { removed: ["b"] }, dismissed: { removed: ["a"] } }, {}],
  ])("keep %s", (_what, changes, kept: object = changes) => {
    expect(fittingChanges(sets, changes)).toEqual(kept);
  });
});

/** A session with one step and, after it, one of each thing that a step says of what came before its request. */
async function withEverythingPending(store: ObjectStore, renderer: typeof openLog) {
  const files = new MapSource();
  files.files.set("/a", "a\nb").set("/b", "c\nd");
  const redact = (text: string) => ({ text: text.replaceAll("secret", "•"), count: text.split("secret").length - 1 });
  const some = { layout: { policy: quietPolicy, renderer }, sources: [files], redact };
  const session = await openAt(store, { ...some, systemPrompt: "old" });
  await session.assemble();
  const { answer, results = [] } = reads("/a", "a\nb", "c");
  await session.record({ answer: { ...answer, calls: [...(answer.calls ?? []), call("late")] }, results });
  await session.receive([
    { ...user("look"), attachments: [{ mime: "image/png", data: new Uint8Array([1]) }] },
    result("late", "c", { files: [touch("/b", "read", { startLine: 2 })] }),
  ]);
  await session.command({ action: "pin", id: "f1" });
  await session.assemble({ systemPrompt: "new secret" });
  await session.command({ action: "hide", id: "late" });
  await session.receive([user("and this")]);
  return { store, files, session, reopen: () => openAt(store, some) };
}

function openAt(store: ObjectStore, some: Partial<OpenSessionOptions> = {}): Promise<Session> {
  const parts = { layout: { policy: quietPolicy, renderer: openLog }, rendererFor, session: "s", owner: "test" };
  return openSession({ store, ...parts, now: () => 1_000, ...some });
}

async function headOf(store: ObjectStore, session = "s") {
  const id = `session:${session}`;
  const document = (await store.getMany([id])).get(id)?.document;
  if (document === undefined || !isDocumentOf(document, "session")) throw new Error("There is no head.");
  return document;
}

async function stepOf(store: ObjectStore, n: number) {
  const document = (await store.getMany([`step:s:${n}`])).get(`step:s:${n}`)?.document;
  if (document === undefined) throw new Error(`There is no step ${n}.`);
  return document;
}

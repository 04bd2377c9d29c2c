// Verifies: SSOT 3.6, 5.9, 5.6, F10: a session that is opened again looks at its files, and tells the agent once.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Checkout, CmError, createMemoryStore, objectIdOf } from "@cm/object-model";
import { openStateCache } from "@cm/store-sqlite";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { limits, type OpenSessionOptions, openSession, rebuildPrompts, type Session } from "../src/index.ts";
import { all } from "./support/all.ts";
import { quietly } from "./support/layouts.ts";
import { at, MapSource } from "./support/map-source.ts";
import { MemoryStateCache } from "./support/memory-state-cache.ts";
import { reads, result, runs, says, touch, user } from "./support/messages.ts";
import { quietPolicy } from "./support/policies.ts";
import { openLog, openSets, rendererFor } from "./support/renderers.ts";
import { intercepted } from "./support/stores.ts";
import { TrackedMap } from "./support/tracked-map.ts";

const idOf = (path: string) => objectIdOf({ type: "file", source: at(path) });

afterEach(() => {
  vi.useRealTimers();
});

describe("a session that is opened again", () => {
  it("stores what changed and what was deleted before the first request, and reports both", async () => {
    const world = await withFiles({ "/a": "old", "/b": "here", "/c": "same" });
    world.files.files.set("/a", "new");
    world.files.files.delete("/b");

    const session = await world.reopen();

    expect([await world.textsOf("/a"), await world.textsOf("/b"), await world.textsOf("/c")]).toEqual([
      ["new", "old"],
      [null, "here"],
      ["same"],
    ]);
    expect(session.opened).toEqual({
      continued: true,
      pendingMessages: 0,
      report: {
        changed: [{ id: idOf("/a"), alias: "f1", path: "/a" }],
        deleted: [{ id: idOf("/b"), alias: "f2", path: "/b" }],
        unreachable: [],
        checkouts: [],
      },
    });
  });

  it("is a new one where there was none", async () => {
    const { opened } = await openWith({ store: createMemoryStore(), sources: [new MapSource()] });

    expect(opened).toEqual({ continued: false, pendingMessages: 0 });
  });

  it("writes nothing for what is out of reach, and says why", async () => {
    const world = await withFiles({ "/a": "old" });
    world.files.files.set("/a", "new");
    world.files.unreachable.add("/a");

    const session = await world.reopen();
    const without = await world.reopen({ sources: [] });

    expect(await world.textsOf("/a")).toEqual(["old"]);
    expect(session.opened.report?.unreachable).toEqual([
      { id: idOf("/a"), alias: "f1", path: "/a", reason: "unplugged" },
    ]);
    expect(without.opened.report?.unreachable.map(({ reason }) => reason)).toEqual(["no source"]);
  });

  it("asks for no path that was only listed, and for no file that is known to be gone", async () => {
    const world = await withFiles({});
    world.files.files.set("/listed", "text");
    await step(world.session, runs(result("ls", "x", { files: [touch("/listed", "discovered")] })));
    await world.session.abandon();

    const session = await world.reopen();

    expect(session.opened.report).toEqual({ changed: [], deleted: [], unreachable: [], checkouts: [] });
  });

  it("leaves its sets as they were", async () => {
    const world = await withFiles({ "/a": "old", "/b": "here" });
    await world.session.command({ action: "pin", id: "f1" });
    await step(world.session);
    const before = world.session.wrapper();
    await world.session.abandon();
    world.files.files.set("/a", "new");
    world.files.files.delete("/b");

    expect((await world.reopen()).wrapper()).toEqual(before);
  });

  it("looks at nothing where the app says so", async () => {
    const world = await withFiles({ "/a": "old" });
    world.files.files.set("/a", "new");

    const session = await world.reopen({ sweep: false });

    expect(session.opened).toEqual({ continued: true, pendingMessages: 0 });
    expect(await world.textsOf("/a")).toEqual(["old"]);
  });

  it("has in sight what another session stored meanwhile only by its own look", async () => {
    const world = await withFiles({ "/a": "old" });
    world.files.files.set("/a", "new");
    const other = await world.reopen({ session: "other" });
    await step(other, reads("/a", "new"));
    world.files.unreachable.add("/a");

    const away = await world.reopen();
    world.files.unreachable.clear();
    const back = await world.reopen();

    const textIn = async (session: Session) => (await session.objects()).find(({ alias }) => alias === "f1")?.text;
    expect([await textIn(away), await textIn(back)]).toEqual(["old", "new"]);
    expect(await world.textsOf("/a")).toEqual(["new", "old"]);
  });

  it("can be read where the store takes no writes, and says so when it is to be written", async () => {
    const world = await withFiles({ "/a": "old" });
    world.files.files.set("/a", "new");
    let isReadOnly = true;
    const store = intercepted(world.store, {
      before(method) {
        if (isReadOnly && method === "commit") throw new CmError("store/unavailable", "It is read only.");
      },
    });

    const session = await world.reopen({ store });
    const [objects, refusal] = [await session.objects(), await session.receive([user("go")]).catch(String)];
    isReadOnly = false;
    await session.receive([user("go")]);
    await session.assemble();

    expect([objects.length, refusal]).toEqual([2, expect.stringContaining("It is read only.")]);
    expect(session.opened.report?.changed.map(({ path }) => path)).toEqual(["/a"]);
    expect(
      session
        .view()
        .log.map(({ kind }) => kind)
        .slice(-2),
    ).toEqual(["resumed", "user"]);
  });
});

it("tells what changed, also where the store failed the look behind the one that found it", async () => {
  const world = await withFiles({ "/a": "old" });
  world.files.files.set("/there", "listed");
  await step(world.session, runs(result("ls", "x", { files: [touch("/there", "discovered")] })));
  await world.session.assemble();
  await world.session.command({ action: "activate", id: "/there" });
  await world.session.record(says("asked for"));
  await world.session.abandon();
  world.files.files.set("/a", "new").set("/there", "changed");
  let isFailing = true;
  const store = intercepted(world.store, {
    before(method, [writes]) {
      if (isFailing && method === "commit" && JSON.stringify(writes).includes("/there"))
        throw new CmError("store/unavailable", "down");
    },
  });

  const session = await world.reopen({ store });
  isFailing = false;
  await session.receive([user("go")]);

  expect(session.opened.report?.changed.map(({ path }) => path)).toEqual(["/a"]);
});

describe("what the agent is told on resuming", () => {
  it("are the texts before and after, once, before what comes next", async () => {
    const world = await withFiles({ "/a": "old", "/b": "here" });
    world.files.files.set("/a", "new");
    world.files.files.delete("/b");

    const session = await world.reopen();
    await session.receive([user("go on")]);
    const [first, second] = [await session.assemble(), await session.assemble()];
    await session.record(says("on"));
    await step(session);
    await session.abandon();
    const again = await world.reopen();

    const told = session.view().log.filter(({ kind }) => kind === "resumed");
    expect(second).toBe(first);
    expect(told).toMatchObject([
      {
        files: [
          { object: idOf("/a"), before: "old", after: "new" },
          { object: idOf("/b"), before: "here", after: null, textless: "deleted" },
        ],
        unreachable: [],
        checkouts: [],
      },
    ]);
    expect(session.view().log.findIndex(({ kind }) => kind === "resumed")).toBe(session.view().log.length - 4);
    expect(again.view().log).toEqual(session.view().log);
  });

  it.each([openLog, openSets])("stands in the rebuilt prompt of $layout, byte for byte", async (renderer) => {
    const world = await withFiles({ "/a": "old", "/b": "here", "/c": "there" }, { layout: quietly(renderer) });
    world.files.files.set("/a", "new").delete("/b");
    world.files.unreachable.add("/c");
    const session = await world.reopen({ layout: quietly(renderer) });
    await session.receive([user("go on")]);
    world.files.files.set("/a", "newer");
    const sent = await session.assemble();
    const { n } = await session.record(reads("/a", "newer", "again"));
    await step(session);

    const rebuilt = await all(rebuildPrompts(world.store, "s", rendererFor));

    expect(JSON.stringify(sent)).toContain("unplugged");
    expect((await session.promptAt(n)).prompt).toEqual(sent);
    expect(rebuilt.filter(({ hash, recordedHash, complete }) => hash !== recordedHash || !complete)).toEqual([]);
  });

  it("is found again where the process died before the step was recorded", async () => {
    const world = await withFiles({ "/a": "old" });
    world.files.files.set("/a", "new");
    const died = await world.reopen();
    const sent = await died.assemble();
    await died.abandon();

    const session = await world.reopen();

    expect(await session.assemble()).toEqual(sent);
    expect(await world.textsOf("/a")).toEqual(["new", "old"]);
  });

  it("is told again where the session was paused before a step, as it is then", async () => {
    const world = await withFiles({ "/a": "old", "/b": "here" });
    world.files.files.set("/a", "new").set("/b", "there");
    await (await world.reopen()).close();
    world.files.files.set("/a", "newer");
    world.files.unreachable.add("/b");

    const session = await world.reopen();
    await session.assemble();
    await session.record(says("on"));

    const told = session.view().log.filter(({ kind }) => kind === "resumed");
    expect(told).toMatchObject([
      {
        files: [
          { before: "old", after: "newer" },
          { before: "here", after: "there" },
        ],
        unreachable: [{ object: idOf("/b") }],
      },
    ]);
    const [rebuilt] = (await all(rebuildPrompts(world.store, "s", rendererFor))).slice(-1);
    expect(rebuilt?.hash).toBe(rebuilt?.recordedHash);
  });

  it("is nothing where nothing changed, or the app wants to tell it itself", async () => {
    const world = await withFiles({ "/a": "old" });
    const unchanged = await world.reopen();
    world.files.files.set("/a", "new");

    const silent = await world.reopen({ tellResumed: false });
    const prompt = await silent.assemble();
    await silent.record(says("on"));

    expect([...unchanged.view().log, ...silent.view().log].filter(({ kind }) => kind === "resumed")).toEqual([]);
    expect(silent.opened.report?.changed).toHaveLength(1);
    expect(JSON.stringify(prompt)).toContain("new");
    expect((await silent.promptAt(1)).prompt).toEqual(prompt);
  });

  it("names a file that is out of reach once, until it was met again", async () => {
    const world = await withFiles({ "/a": "text" });
    const toldIn = (session: Session) => session.view().log.filter(({ kind }) => kind === "resumed").length;
    world.files.unreachable.add("/a");
    const first = await world.reopen();
    await step(first);
    const second = await world.reopen();
    world.files.unreachable.clear();
    await step(second, reads("/a", "text", "again"));
    world.files.unreachable.add("/a");
    const third = await world.reopen();
    await step(third);
    world.files.unreachable.clear();
    world.files.files.set("/a", "changed");
    await step(await world.reopen());
    world.files.unreachable.add("/a");
    const last = await world.reopen();

    expect([toldIn(first), toldIn(second), toldIn(third), toldIn(last)]).toEqual([1, 1, 2, 4]);
    expect(second.opened.report?.unreachable).toHaveLength(1);
  });
});

describe("working copies", () => {
  const main: Checkout = { namespace: "fs", root: "/w", repository: "/w/.git", commit: "a1", branch: "main" };

  it("are recorded where they change, and told on resuming", async () => {
    const files = new WorkTree();
    files.trees = [main];
    const world = await withFiles({ "/a": "text" }, {}, files);
    await step(world.session);
    files.trees = [{ ...main, commit: "b2" }];
    await step(world.session);
    await world.session.abandon();
    files.trees = [{ ...main, commit: "c3", branch: "topic" }];

    const session = await world.reopen();
    await step(session);

    const change = { was: { ...main, commit: "b2" }, now: { ...main, commit: "c3", branch: "topic" } };
    expect(session.opened.report?.checkouts).toEqual([change]);
    expect(session.view().log.find(({ kind }) => kind === "resumed")).toMatchObject({ checkouts: [change] });
    expect(await Promise.all([0, 1, 2, 3].map((n) => world.stepOf(n)))).toMatchObject([
      { checkouts: [main] },
      expect.not.objectContaining({ checkouts: expect.anything() }),
      { checkouts: [{ commit: "b2" }] },
      { checkouts: [{ commit: "c3" }], resumed: { checkouts: [change] } },
    ]);
  });

  it("lose no step where the source throws, hangs or answers nonsense", async () => {
    const files = new WorkTree();
    const world = await withFiles({ "/a": "text" }, {}, files);
    files.answer = () => Promise.reject(new Error("no git"));
    await step(world.session);
    files.answer = async () => [{ ...main, branch: `${"x".repeat(999)}\ud800` }, JSON.parse('{"root":7}')];
    await step(world.session);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    files.answer = () => new Promise(() => undefined);
    await world.session.assemble();
    const hanging = world.session.record(says("on"));
    await expect.poll(() => vi.getTimerCount()).toBeGreaterThan(0);
    await vi.advanceTimersByTimeAsync(limits.checkoutsMs);
    await hanging;
    await world.session.assemble();
    await world.session.record(says("on"));

    expect(world.session.view().step).toBe(5);
    expect((await world.stepOf(2)).checkouts).toMatchObject([{ root: "/w", branch: "x".repeat(256) }]);
  });

  it("are not requested where the app does its own scans", async () => {
    const files = new WorkTree();
    files.trees = [main];
    const world = await withFiles({ "/a": "text" }, { sweep: false }, files);

    await step(world.session);

    expect((await world.stepOf(1)).checkouts).toBeUndefined();
  });
});

describe("trackers", () => {
  it("follow the known files from the start, and know what was gone", async () => {
    const files = new TrackedMap();
    const world = await withFiles({ "/a": "text", "/b": "here" }, {}, files);
    files.files.delete("/b");
    await step(world.session);
    await world.session.abandon();
    files.files.set("/b", "back");

    const session = await world.reopen({ track: true });

    expect(files.followed.map(({ binding }) => binding.path)).toEqual(["/a", "/b"]);
    expect(session.tracking()).toEqual([
      { id: idOf("/a"), state: "attached" },
      { id: idOf("/b"), state: "resumed" },
    ]);
  });
});

describe("what a client keeps of its files", () => {
  it("spares the next process reading what did not change", async () => {
    const stateCache = new MemoryStateCache();
    const world = await withFiles({ "/a": "old", "/b": "here", "/c": "same" }, { stateCache }, new HintedMap());
    world.files.files.set("/a", "new");
    world.files.answers.length = 0;

    await world.reopen({ stateCache });

    expect(world.files.answers.filter((answer) => answer !== "unchanged")).toEqual(["present"]);
  });

  it("may lie in the cache file of the embedded store", async () => {
    const folder = mkdtempSync(join(tmpdir(), "cm-states-"));
    const path = join(folder, "states.db");
    const first = openStateCache({ path });
    const world = await withFiles({ "/a": "same" }, { stateCache: first }, new HintedMap());
    await first.close?.();
    const second = openStateCache({ path });
    onTestFinished(async () => {
      await second.close?.();
      rmSync(folder, { recursive: true });
    });
    world.files.answers.length = 0;

    await world.reopen({ stateCache: second });

    expect(world.files.answers).toEqual(["unchanged"]);
  });

  it("counts only where it is of the version in sight", async () => {
    const stateCache = new MemoryStateCache();
    const world = await withFiles({ "/a": "old" }, { stateCache }, new HintedMap());
    const state = stateCache.states.get(idOf("/a"));
    stateCache.states.set(idOf("/a"), { ...state, sourceHash: "0".repeat(64) });
    world.files.answers.length = 0;

    await world.reopen({ stateCache });

    expect(world.files.answers).toEqual(["present"]);
  });

  it("is saved when the session is closed, after the look, and with every keyframe", async () => {
    const stateCache = new MemoryStateCache();
    const files = new HintedMap();
    const world = await withFiles({ "/a": "old" }, { stateCache, keyframeEverySteps: 3 }, files);
    const atClose = [...stateCache.saves];
    files.files.set("/a", "new");
    const session = await world.reopen({ stateCache, keyframeEverySteps: 3 });
    await expect.poll(() => stateCache.saves).toEqual([1, 1]);
    files.files.set("/a", "newer");
    await step(session);
    const between = [...stateCache.saves];
    await step(session);

    await expect.poll(() => stateCache.saves).toEqual([1, 1, 1]);
    await session.abandon();
    expect(stateCache.saves).toEqual([1, 1, 1]);
    expect([atClose, between]).toEqual([[1], [1, 1]]);
  });

  it.each([
    ["fails", () => Promise.reject(new Error("damaged"))],
    ["answers nonsense", async () => JSON.parse('{"no":"map"}')],
  ])("causes no harm where it %s", async (_what, load) => {
    const stateCache = {
      contract: "state-cache/1",
      load,
      save: () => Promise.reject(new Error("full")),
    } as const;
    const world = await withFiles({ "/a": "old" }, { stateCache });

    const session = await world.reopen({ stateCache });
    await step(session);
    await session.abandon();

    expect(session.view().step).toBe(2);
  });
});

/** Answers `unchanged` by its hint alone, as sources do that look at attributes first. */
class HintedMap extends MapSource {
  override async observe(requests: Parameters<MapSource["observe"]>[0]) {
    const blind = requests.map(({ known, ...request }) => {
      const text = this.files.get(request.binding.path);
      const isHinted = known?.hint === `of ${String(text)}`;
      return isHinted && known !== undefined ? { ...request, known } : request;
    });
    const observations = await super.observe(blind);
    return observations.map((observation, place) => {
      if (observation.kind !== "present" && observation.kind !== "unchanged") return observation;
      const text = this.files.get(requests[place]?.binding.path ?? "");
      return { ...observation, state: { ...observation.state, hint: `of ${String(text)}` } };
    });
  }
}

class WorkTree extends MapSource {
  trees: readonly Checkout[] = [];
  answer: () => Promise<readonly Checkout[]> = async () => this.trees;

  checkouts(): Promise<readonly Checkout[]> {
    return this.answer();
  }
}

type Some = Partial<OpenSessionOptions>;

/** A session that has read some files and was closed, and ways to open it again. */
async function withFiles(texts: Readonly<Record<string, string>>, some: Some = {}, files = new MapSource()) {
  const store = createMemoryStore();
  for (const [path, text] of Object.entries(texts)) files.files.set(path, text);
  const reopen = (again: Some = {}) => openWith({ store, sources: [files], ...again });
  const session = await reopen(some);
  await session.assemble();
  const results = Object.entries(texts).map(([path, text]) =>
    result(`read ${path}`, text, { files: [touch(path, "read", { startLine: 1 })] }),
  );
  await session.record(runs(...results));
  if (some.stateCache !== undefined) await session.abandon();
  return {
    store,
    files,
    session,
    reopen,
    textsOf: async (path: string) => {
      const { versions } = await store.history(idOf(path), { documents: true });
      return versions.map(({ document }) => document?.content);
    },
    stepOf: async (n: number) => {
      const document = (await store.getMany([`step:s:${n}`])).get(`step:s:${n}`)?.document;
      if (document === undefined) throw new Error(`There is no step ${n}.`);
      return document;
    },
  };
}

function openWith(some: Some & Pick<OpenSessionOptions, "store">): Promise<Session> {
  return openSession({
    layout: { policy: quietPolicy, renderer: openLog },
    rendererFor,
    session: "s",
    owner: "test",
    ...some,
  });
}

async function step(session: Session, record = says("on")): Promise<void> {
  await session.assemble();
  await session.record(record);
}

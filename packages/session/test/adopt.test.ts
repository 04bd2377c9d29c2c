// Verifies: SSOT 3.3, 3.7, 3.10, T20: a session may adopt files of others below its prefixes, and knows of no others.
import type { CommandOutcome } from "@cm/context-log";
import { createMemoryStore, type ObjectStore, type Source } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { type DiscoverPrefix, limits, type OpenSessionOptions, openSession, type Session } from "../src/index.ts";
import { quietly } from "./support/layouts.ts";
import { at, MapSource } from "./support/map-source.ts";
import { result, runs, says, touch, user } from "./support/messages.ts";
import { restlessPolicy } from "./support/policies.ts";
import { openLog, openSets, rendererFor } from "./support/renderers.ts";
import { snapshot } from "./support/snapshot.ts";
import { intercepted } from "./support/stores.ts";

const discover: readonly DiscoverPrefix[] = [{ type: "filesystem", namespace: "fs", pathPrefix: "/shared" }];
const unknown = { done: false, reason: "This session has not met such an object; list its objects." };

describe("a session that may discover", () => {
  it("lists what others stored below its prefixes, and it has not met, on the last page", async () => {
    const { session } = await worldWith({ discover });

    const first = await session.list({ limit: 1 });
    const last = await session.list({ limit: 1, cursor: first.next ?? "" });

    expect(first.foreign).toBeUndefined();
    expect(last.next).toBeUndefined();
    expect(last.foreign?.map(({ path, fileType, charCount }) => [path, fileType, charCount]).sort()).toEqual([
      ["/shared/a.ts", "ts", 10],
      ["/shared/b", "", 10],
    ]);
  });

  it.each([
    [{ path: "a.ts" }, ["/shared/a.ts"]],
    [{ fileType: "ts" }, ["/shared/a.ts"]],
    [{ text: "TEXT OF /B" }, ["/shared/b"]],
    [{ text: "text of secret" }, []],
    [{ kind: "file" }, ["/shared/a.ts", "/shared/b"]],
    [{ kind: "toolcall" }, []],
    [{ level: "indexed" }, []],
    [{ pinned: true }, []],
    [{ tool: "bash" }, []],
  ] as const)("lists of them what a query asks for: %j", async (query, paths) => {
    const { session } = await worldWith({ discover });

    expect((await session.list(query)).foreign?.map(({ path }) => path).sort()).toEqual(paths);
  });

  it("lists at most 200 of them", async () => {
    const { session, store, source } = await worldWith({ discover });
    const paths = Array.from({ length: 210 }, (_, n) => `/shared/more/${n}`);
    for (const path of paths) source.files.set(path, "more");
    const other = await openIn(store, { session: "third", sources: [source as Source] });
    await other.assemble();
    await other.record(runs(result("many", "many", { files: paths.map((path) => touch(path, "read")) })));

    expect((await session.list({})).foreign).toHaveLength(limits.foreignFilesMax);
    expect((await session.list({ path: "/shared/more/7" })).foreign).toHaveLength(11);
  });

  it("lists one no more once it is met", async () => {
    const { session } = await worldWith({ discover });
    await session.adopt(await idOf(session, "/shared/b"));

    expect((await session.list({})).foreign?.map(({ path }) => path)).toEqual(["/shared/a.ts"]);
  });

  it("adopts one into index and pool, under an alias", async () => {
    const { session } = await worldWith({ discover });
    const id = await idOf(session, "/shared/b");

    const outcome = await session.adopt(id);

    expect(outcome).toEqual({ done: true, id, changed: true });
    const [object] = (await session.list({ path: "/shared/b" })).objects;
    expect(object).toMatchObject({ id, alias: "f2", level: "inactive", text: "text of /b" });
  });

  it("adopts what its source has now, and stores it for all", async () => {
    const { session, source, store } = await worldWith({ discover });
    const id = await idOf(session, "/shared/b");
    source.files.set("/shared/b", "newer");

    await session.adopt(id);

    expect((await session.list({ path: "/shared/b" })).objects[0]?.text).toBe("newer");
    expect((await store.getMany([id])).get(id)?.document?.content).toBe("newer");
  });

  it("adopts what is stored where no source can look", async () => {
    const { session, source } = await worldWith({ discover });
    const id = await idOf(session, "/shared/b");
    source.unreachable.add("/shared/b");

    await session.adopt(id);

    expect((await session.list({ path: "/shared/b" })).objects[0]?.text).toBe("text of /b");
  });

  it("adopts what is stored where it has no source for it", async () => {
    const { session } = await worldWith({ discover, sources: [] });
    const id = await idOf(session, "/shared/b");

    expect(await session.adopt(id)).toMatchObject({ done: true });
    expect((await session.list({ path: "/shared/b" })).objects[0]?.text).toBe("text of /b");
  });

  it("sees later changes of what it adopted", async () => {
    const { session, source } = await worldWith({ discover });
    await session.adopt(await idOf(session, "/shared/b"));
    source.files.set("/shared/b", "changed since");

    await session.assemble();

    expect((await session.list({ path: "/shared/b" })).objects[0]?.text).toBe("changed since");
  });

  it.each([
    ["activate", "requested"],
    ["pin", "pinned"],
    ["show", "pool"],
  ] as const)("adopts one that it is asked to %s", async (action, set) => {
    const { session } = await worldWith({ discover });
    const id = await idOf(session, "/shared/b");

    const outcome = await session.command({ action, id });

    expect(outcome).toEqual({ done: true, id, changed: true });
    expect([...session.view().sets[set]]).toContain(id);
    expect(session.wrapper().metadata_pool).toContain(id);
  });

  it.each(["deactivate", "unpin", "hide"] as const)("adopts none to %s it", async (action) => {
    const { session } = await worldWith({ discover });

    expect(await session.command({ action, id: await idOf(session, "/shared/b") })).toEqual(unknown);
  });

  it("refuses to show one that has no text, and does not adopt it", async () => {
    const { session, source } = await worldWith({ discover });
    const id = await idOf(session, "/shared/b");
    source.files.set("/shared/b", new Uint8Array([0xff]));

    const outcome = await session.command({ action: "activate", id });

    expect(outcome).toMatchObject({ done: false, reason: expect.stringContaining("it is not text") });
    expect(session.wrapper().session_index).not.toContain(id);
  });

  it("refuses in the same words what lies elsewhere, what is nowhere and what is no file", async () => {
    const { session, ids } = await worldWith({ discover });
    const strange = [ids["/secret"], ids["/sharedish/c"], "0".repeat(64), "other call", "__proto__", "", "f9"];

    const outcomes: CommandOutcome[] = [];
    for (const id of strange) {
      outcomes.push(await session.adopt(id ?? ""));
      for (const action of ["activate", "pin", "show"] as const)
        outcomes.push(await session.command({ action, id: id ?? "" }));
    }

    expect(outcomes).toEqual(outcomes.map(() => unknown));
  });

  it.each(["session:other", "chat:other", "step:other:0", "system_prompt:other"])("refuses %s", async (id) => {
    const { session } = await worldWith({ discover: [{ type: "filesystem" }] });

    expect(await session.adopt(id)).toMatchObject({ done: false });
    expect(session.wrapper().session_index).not.toContain(id);
  });

  it("refuses what was erased", async () => {
    const { session, store } = await worldWith({ discover });
    const id = await idOf(session, "/shared/b");
    await store.erase([id], "leaked");

    expect(await session.adopt(id)).toEqual(unknown);
  });
});

describe("the store", () => {
  it("is asked for nothing but what lies below the prefixes", async () => {
    const asked: unknown[] = [];
    const { session, store } = await worldWith({ discover });
    const watched = intercepted(store, { before: (method, [what]) => void (method === "find" && asked.push(what)) });
    const again = await openIn(watched, { session: "s", discover });

    await again.list({ kind: "file" });
    await session.abandon();

    expect(asked).toEqual([{ type: "file", source: { type: "filesystem", namespace: "fs", pathPrefix: "/shared" } }]);
  });

  it("is asked for no id that the session does not know, without discovery", async () => {
    const asked: unknown[] = [];
    const { store, ids } = await worldWith({});
    const watched = intercepted(store, { before: (method, [what]) => void (method === "getMany" && asked.push(what)) });
    const again = await openIn(watched, { session: "s", sweep: false });
    await again.objects();
    asked.length = 0;

    await again.adopt(ids["/shared/b"] ?? "");

    expect(JSON.stringify(asked)).not.toContain(ids["/shared/b"]);
  });
});

describe("a session without discovery", () => {
  it("lists and adopts nothing of others", async () => {
    const { session, ids } = await worldWith({});

    expect(await session.list({})).not.toHaveProperty("foreign");
    for (const id of Object.values(ids)) {
      expect(await session.adopt(id)).toEqual(unknown);
      expect(await session.command({ action: "show", id })).toEqual(unknown);
    }
  });
});

describe.each([openLog, openSets])("an adoption, recorded under $layout", (renderer) => {
  const moments = ["before the request", "after the request", "before one that is given up"] as const;

  it.each(moments)("%s, is resumed exactly", async (moment) => {
    const world = await worldWith({ discover, layout: { policy: restlessPolicy(7), renderer } });
    const { session, reopened } = world;
    const id = await idOf(session, "/shared/b");

    await session.receive([result("late", "late", { files: [touch("/mine", "read", { startLine: 1 })] })]);
    if (moment !== "before the request") await session.assemble();
    await session.adopt(id);
    if (moment === "before one that is given up") await session.receive([user("wait"), result("later", "later")]);
    await session.assemble();
    const files = [touch("/shared/b", "read", { startLine: 1 }), touch("/mine", "read", { startLine: 1 })];
    await session.record(runs(result("r", "text", { files })));
    await session.assemble();
    await session.record(says("done"));

    const again = await reopened();
    expect(snapshot(again)).toEqual(snapshot(session));
    expect(await again.objects()).toEqual(await session.objects());
    expect(await again.promptAt(1)).toMatchObject({ complete: true });
    for (const n of [0, 1, 2]) {
      const { hash, recordedHash } = await again.promptAt(n);
      expect(hash).toBe(recordedHash);
    }
  });

  it.each(moments)("%s, outlives a pause", async (moment) => {
    const { session, reopened } = await worldWith({ discover, layout: quietly(renderer) });
    const id = await idOf(session, "/shared/b");
    if (moment !== "before the request") await session.assemble();
    await session.adopt(id);
    if (moment === "before one that is given up") await session.receive([user("wait")]);
    const objects = await session.objects();
    await session.close();

    const again = await reopened();
    await again.assemble();
    await again.record(says("done"));

    expect(await again.objects()).toEqual(objects);
    expect((await again.promptAt(1)).complete).toBe(true);
    expect(snapshot(await reopened())).toEqual(snapshot(again));
  });

  it("is resumed exactly where the file is read in a newer version in the same step", async () => {
    const world = await worldWith({ discover, layout: quietly(renderer) });
    const { session, source, reopened } = world;
    await session.assemble();
    await session.adopt(await idOf(session, "/shared/b"));
    source.files.set("/shared/b", "newer");
    await session.record(runs(result("r", "newer", { files: [touch("/shared/b", "read", { startLine: 1 })] })));

    expect(snapshot(await reopened())).toEqual(snapshot(session));
  });

  it("costs nothing of the other session's", async () => {
    const { session, store } = await worldWith({ discover, layout: quietly(renderer) });
    await session.adopt(await idOf(session, "/shared/b"));
    await session.assemble();
    await session.record(says("thanks"));

    const other = await openIn(store, { session: "other", layout: quietly(renderer) });
    expect(other.wrapper().session_index).toHaveLength(5);
  });
});

interface World {
  readonly session: Session;
  readonly store: ObjectStore;
  readonly source: MapSource;
  /** Of the other session's files, by path. */
  readonly ids: Readonly<Record<string, string>>;
  readonly reopened: () => Promise<Session>;
}

/** A session that met one file, beside another one that met four, three of them elsewhere. */
async function worldWith(options: Partial<OpenSessionOptions>): Promise<World> {
  const store = createMemoryStore();
  const source = new MapSource();
  const paths = ["/shared/a.ts", "/shared/b", "/sharedish/c", "/secret"];
  for (const path of [...paths, "/mine"]) source.files.set(path, `text of ${path.slice(path.lastIndexOf("/"))}`);
  source.files.set("/shared/a.ts", "text of /a");
  const { layout = quietly(openLog) } = options;
  const other = await openIn(store, { session: "other", layout, sources: [source as Source] });
  await other.assemble();
  await other.record(runs(result("other call", "other", { files: paths.map((path) => touch(path, "read")) })));
  const ids = Object.fromEntries(
    (await other.objects()).flatMap(({ path, id }) => (path === undefined ? [] : [[path, id]])),
  );
  const own = { sources: [source as Source], ...options };
  const session = await openIn(store, { ...own, session: "s" });
  await session.assemble();
  await session.record(runs(result("call", "mine", { files: [touch("/mine", "read")] })));
  return { session, store, source, ids, reopened: () => openIn(store, { ...own, session: "s" }) };
}

function openIn(store: ObjectStore, options: Partial<OpenSessionOptions>): Promise<Session> {
  return openSession({
    store,
    layout: quietly(openLog),
    rendererFor,
    systemPrompt: "You are a test.",
    now: () => 1,
    ...options,
  });
}

async function idOf(session: Session, path: string): Promise<string> {
  const { foreign = [] } = await session.list({ path });
  const found = foreign.find((file) => file.path === path);
  if (found === undefined) throw new Error(`${path} (${JSON.stringify(at(path))}) is not listed`);
  return found.id;
}

// Verifies: SSOT 3.6, 5.6, 5.9, F11: the indexing protocol in a session.
import type { ContextView } from "@cm/context-log";
import { createMemoryStore, type Source } from "@cm/object-model";
import { describe, expect, it, vi } from "vitest";
import { limits, openSession } from "../src/index.ts";
import { MapSource, present } from "./support/map-source.ts";
import { reads, result, runs, touch } from "./support/messages.ts";
import { quietPolicy, recallsOf } from "./support/policies.ts";
import { openLog, openSets } from "./support/renderers.ts";
import { intercepted, recording } from "./support/stores.ts";

describe("a session that meets files", () => {
  it("writes nothing for a file that has not changed, and asks its source with what it knows", async () => {
    const { session, files, commits } = await start();
    files.files.set("/a", "text");
    await step(session, "/a");

    await step(session, "/a");

    expect(files.answers).toEqual(["present", "unchanged", "unchanged"]);
    expect(commits.at(-1)?.writes.map(({ document }) => document.type)).toEqual([
      "toolcall",
      "step",
      "session",
      "chat",
    ]);
  });

  it("writes nothing for a file out of reach and goes on with what it has", async () => {
    const { session, files, commits } = await start();
    files.files.set("/a", "text");
    await step(session, "/a");
    files.unreachable.add("/a");

    await step(session, "/a");

    expect(commits.at(-1)?.writes.filter(({ document }) => document.type === "file")).toEqual([]);
    expect(await texts(session)).toEqual({ "/a": "text" });
  });

  it("marks a confirmed deletion, and finds the file again later", async () => {
    const { session, files } = await start();
    files.files.set("/a", "text");
    await step(session, "/a");
    files.files.delete("/a");
    await step(session, "/a");
    const [gone] = (await session.objects()).filter(({ kind }) => kind === "file");
    files.files.set("/a", "text");

    await step(session, "/a");

    // What the agent saw of it stands in for it.
    expect([gone?.text, gone?.textless]).toEqual(["output", "deleted"]);
    expect(await texts(session)).toEqual({ "/a": "text" });
    expect((await session.objects()).map(({ alias }) => alias)).toEqual(["t1", "f1", "t2", "t3"]);
  });

  it("takes a file it cannot reach as a stub that shows the newest part it saw", async () => {
    const { session, files } = await start();
    files.unreachable.add("/a");
    await step(session, "/a", "lines 1 to 3");

    await step(session, "/a", "lines 4 to 6");

    const [file] = (await session.objects()).filter(({ kind }) => kind === "file");
    expect([file?.text, file?.textless]).toEqual(["lines 4 to 6", "unread"]);
  });

  it("reads a file that was asked for in vain with the first request after it is within reach", async () => {
    const files = new MapSource();
    const layout = { policy: quietPolicy, renderer: openSets };
    const session = await openSession({ store: createMemoryStore(), layout, sources: [files], session: "s" });
    files.unreachable.add("/a");
    await step(session, "/a", "lines 1 to 3");
    await session.command({ action: "activate", id: "f1" });
    await step(session, "/b");
    expect(await texts(session)).toMatchObject({ "/a": "lines 1 to 3" });
    files.unreachable.delete("/a");
    files.files.set("/a", "all of it");

    await session.assemble();

    expect(await texts(session)).toMatchObject({ "/a": "all of it" });
  });

  it("looks at a file once, however often a step names it", async () => {
    const { session, files } = await start();
    files.files.set("/a", "text");
    await session.assemble();

    await session.record(
      runs(
        result("one", "x", {
          files: [touch("/a", "discovered"), touch("/a", "read", { startLine: 2 }), touch("/a", "discovered")],
        }),
      ),
    );

    expect(files.answers).toEqual(["present"]);
    expect(session.wrapper().active_set).toHaveLength(2);
  });

  it("takes the strongest touch of a file: one that was read becomes a stub, in whatever order it is named", async () => {
    const { session, files } = await start();
    files.unreachable.add("/a").add("/b");
    await session.assemble();

    await session.record(
      runs(
        result("one", "x", { files: [touch("/a", "read"), touch("/a", "discovered")] }),
        result("two", "x", { files: [touch("/b", "discovered"), touch("/b", "read")] }),
      ),
    );

    expect(Object.keys(await texts(session))).toEqual(["/a", "/b"]);
  });

  it("never lets a stub cover what another client stored meanwhile", async () => {
    const store = createMemoryStore();
    const other = new MapSource();
    other.files.set("/a", "what is there");
    const race = intercepted(store, {
      async before(method, [, options]) {
        if (method === "commit" && options !== undefined && other.answers.length === 0) {
          await step(await openWith(store, other, "other"), "/a");
        }
      },
    });
    const files = new MapSource();
    files.unreachable.add("/a");
    const session = await openWith(race, files);

    await step(session, "/a", "seen");

    expect(await texts(session)).toEqual({ "/a": "what is there" });
    expect(await versionsOf(store, session.wrapper().session_index)).toEqual(["what is there"]);
  });

  it("does not claim to have read what it could not look at", async () => {
    const store = createMemoryStore();
    const reachable = new MapSource();
    reachable.files.set("/a", "what is there");
    await step(await openWith(store, reachable, "other"), "/a");
    const files = new MapSource();
    files.unreachable.add("/a");
    const session = await openWith(store, files);

    await step(session, "/a", "seen");

    const [entry] = session.view().log.filter(({ kind }) => kind === "result");
    expect(entry).toMatchObject({ spans: [{ start_line: 1 }] });
    expect(JSON.stringify(entry)).not.toContain("content_hash");
  });

  it("sees what another session stored once it has looked itself", async () => {
    const store = createMemoryStore();
    const files = new MapSource();
    files.files.set("/a", "old");
    const [session, other] = [await openWith(store, files), await openWith(store, files, "other")];
    await step(session, "/a");
    files.files.set("/a", "new");
    await step(other, "/a");
    const before = await texts(session);

    await step(session, "/a");

    expect([before, await texts(session)]).toEqual([{ "/a": "old" }, { "/a": "new" }]);
  });

  it("does not see what another session stored while it cannot look itself", async () => {
    const store = createMemoryStore();
    const [mine, theirs] = [new MapSource(), new MapSource()];
    mine.files.set("/a", "old");
    theirs.files.set("/a", "new");
    const [session, other] = [await openWith(store, mine), await openWith(store, theirs, "other")];
    await step(session, "/a");
    await step(other, "/a");
    mine.unreachable.add("/a");

    await step(session, "/a");

    expect(await texts(session)).toEqual({ "/a": "old" });
  });

  it("brings a recalled file back in the version it had in sight then", async () => {
    const store = createMemoryStore();
    const files = new MapSource();
    const recall = { contract: "policy/1", name: "recall", decide: requestedOnly } as const;
    const session = await openSession({
      store,
      layout: { policy: recall, renderer: openLog },
      sources: [files],
      session: "s",
    });
    files.files.set("/a", "old");
    await session.assemble();
    await session.record(runs(result("cat", "", { files: [touch("/a", "read")] })));
    await session.command({ action: "activate", id: "f1" });
    await session.assemble();
    files.files.set("/a", "new");
    await session.record(runs(result("edit", "ok", { files: [touch("/a", "edited")] })));
    await session.assemble();
    await session.record(runs());

    const recalled = session.view().log.filter(({ kind }) => kind === "recalled");

    expect(recalled).toMatchObject([{ text: "old" }]);
    expect(await texts(session)).toEqual({ "/a": "new" });
    for (const n of [0, 1, 2]) expect(await session.promptAt(n)).toMatchObject({ complete: true });
  });

  it("shows the path as the agent knows it, and follows a change of the mounts", async () => {
    const { session, files } = await start();
    files.files.set("/a", "text");
    files.displayRoot = "/workspace/";
    await step(session, "/a");
    const before = (await session.objects()).map(({ path }) => path);
    files.displayRoot = "/mnt/";

    await step(session, "/a");

    expect(before).toContain("/workspace/a");
    expect((await session.objects()).map(({ path }) => path)).toContain("/mnt/a");
  });

  it("wants the text again where the store no longer has what it knew", async () => {
    const { session, files, store } = await start();
    files.files.set("/a", "text");
    await step(session, "/a");
    await store.erase(
      session.wrapper().session_index.filter((id) => id.length === 64),
      "a test",
    );

    await step(session, "/a");

    expect(files.answers).toEqual(["present", "unchanged", "present"]);
    expect(await texts(session)).toEqual({ "/a": "text" });
  });

  it.each([
    ["throws", () => Promise.reject(new Error("broken"))],
    ["gives no answers", () => Promise.resolve([])],
    ["gives what no document can carry", () => Promise.resolve([{ ...present("x"), sourceHash: "x".repeat(999) }])],
  ])("counts a source that %s as out of reach", async (_what, observe) => {
    const files: Source = Object.assign(new MapSource(), { observe });
    const session = await openSession({
      store: createMemoryStore(),
      layout: { policy: quietPolicy, renderer: openLog },
      sources: [files],
    });

    await step(session, "/a", "seen");

    expect(await texts(session)).toEqual({ "/a": "seen" });
  });

  it("waits for a source that hangs no longer than its time", async () => {
    vi.useFakeTimers();
    let signal: AbortSignal | undefined;
    const observe: Source["observe"] = (_requests, _bounds, given) => {
      signal = given;
      return new Promise(() => undefined);
    };
    const files: Source = Object.assign(new MapSource(), { observe });
    const store = createMemoryStore();
    const session = await openSession({ store, layout: { policy: quietPolicy, renderer: openLog }, sources: [files] });

    const written = step(session, "/a", "seen");
    await vi.advanceTimersByTimeAsync(limits.observeMs);

    expect(await written).toMatchObject({ n: 0 });
    expect(signal?.aborted).toBe(true);
    vi.useRealTimers();
  });

  it("takes files of a source that is not configured as stubs", async () => {
    const session = await openSession({
      store: createMemoryStore(),
      layout: { policy: quietPolicy, renderer: openLog },
    });

    await step(session, "/a", "seen");

    expect(await texts(session)).toEqual({ "/a": "seen" });
  });
});

describe("the sets after a touch", () => {
  const cases = [
    ["read with a visible part", "log", "active", touch("/a", "read", { startLine: 1 })],
    ["read without a visible part", "log", "inactive", touch("/a", "read")],
    ["read without a visible part", "sets", "active", touch("/a", "read")],
    ["edited", "log", "inactive", touch("/a", "edited")],
    ["edited", "sets", "inactive", touch("/a", "edited")],
    ["discovered", "sets", "inactive", touch("/a", "discovered")],
  ] as const;

  it.each(cases)("have a file that was %s under %s at its level: %s", async (_what, layout, level, touched) => {
    const renderer = layout === "log" ? openLog : openSets;
    const files = new MapSource();
    files.files.set("/a", "text");
    const store = createMemoryStore();
    const session = await openSession({ store, layout: { policy: quietPolicy, renderer }, sources: [files] });
    await session.assemble();

    await session.record(runs(result("c", "output", { files: [touched] })));

    const [file] = (await session.objects()).filter(({ kind }) => kind === "file");
    expect(file?.level).toBe(level);
  });
});

function requestedOnly(view: ContextView) {
  return { recall: recallsOf(view, view.sets.requested) };
}

async function start() {
  const { store, commits } = recording(createMemoryStore());
  const files = new MapSource();
  return { session: await openWith(store, files), files, store, commits };
}

function openWith(store: Parameters<typeof openSession>[0]["store"], files: MapSource, session = "s") {
  return openSession({ store, layout: { policy: quietPolicy, renderer: openLog }, sources: [files], session });
}

type Session = Awaited<ReturnType<typeof openSession>>;

async function step(session: Session, path: string, seen = "output") {
  await session.assemble();
  return session.record(reads(path, seen));
}

async function texts(session: Session) {
  const files = (await session.objects()).filter(({ kind }) => kind === "file");
  return Object.fromEntries(files.map(({ path, text }) => [path, text]));
}

async function versionsOf(store: Parameters<typeof openSession>[0]["store"], ids: readonly string[]) {
  const [file = ""] = ids.filter((id) => id.length === 64);
  const { versions } = await store.history(file, { documents: true });
  return versions.map(({ document }) => document?.content);
}

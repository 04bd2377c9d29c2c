// Verifies: SSOT 3.3, 4.4, 4.5, T3: every object can be named by alias, path or call id, in the bytes of then.
import type { RenderedPrompt, StepRecord } from "@cm/context-log";
import { createMemoryStore, type ObjectStore, type Source } from "@cm/object-model";
import { parse } from "@cm/prompt-grammar";
import { layouts, rendererFor } from "@cm/render";
import { describe, expect, it } from "vitest";
import { forkSession, type OpenSessionOptions, openSession, type Session } from "../src/index.ts";
import { MapSource } from "./support/map-source.ts";
import { answering, call, reads, result, runs, says, touch } from "./support/messages.ts";
import { snapshot } from "./support/snapshot.ts";

describe("an object", () => {
  it.each([
    ["a file by its alias", "f2", "/home/agent/src/b.ts"],
    ["a file by its path", "/home/agent/src/b.ts", "/home/agent/src/b.ts"],
    ["a file by an end of its path that no other has", "./b.ts", "/home/agent/src/b.ts"],
    ["a call by its alias", "t1", undefined],
    ["a call by its id", "discovers", undefined],
  ])("is named: %s", async (_what, name, path) => {
    const { session, source } = await worldWith({ "/src/a.ts": "one", "/src/b.ts": "two" });
    source.displayRoot = "/home/agent/";
    await promptAfter(session, discovers("/src/a.ts", "/src/b.ts"));

    const pinned = await session.command({ action: "pin", id: name });
    const recalled = await session.recall(name);

    const object = path === undefined ? { id: "discovers" } : { path, kind: "file" };
    expect(pinned).toMatchObject({ done: true, changed: true });
    const pins = (await session.list({ pinned: true })).objects;
    expect(pins).toHaveLength(1);
    expect(pins).toMatchObject([object]);
    expect(recalled).toMatchObject({ done: true, object: { ...object, pinned: true } });
  });

  it.each(["a.ts", "/nowhere.ts", "", "no call"])("is none that is named %j", async (name) => {
    const { session } = await worldWith({ "/src/a.ts": "one", "/lib/a.ts": "two" });
    await promptAfter(session, discovers("/src/a.ts", "/lib/a.ts"));
    const before = snapshot(session).sets;

    expect(await session.command({ action: "pin", id: name })).toMatchObject({ done: false });
    expect(await session.recall(name)).toMatchObject({ done: false });
    expect(snapshot(session).sets).toEqual(before);
  });

  it("is this session's newest call of that id, where another session has a call of it, too", async () => {
    const { session: other, options } = await worldWith({}, { session: "other" });
    await promptAfter(other, runs(result("same", "not of this session")));
    const session = await openSession({ ...options, session: "s" });
    for (const text of ["the first", "the second"]) await promptAfter(session, runs(result("same", text)));

    expect(await session.recall("same")).toMatchObject({ done: true, object: { alias: "t2", text: "the second" } });
  });

  it("that is pinned by its path is kept when the pool is full", async () => {
    const { session } = await worldWith({ "/src/a.ts": "one", "/src/b.ts": "two" }, { poolEntriesMax: 3 });
    await promptAfter(session, discovers("/src/a.ts", "/src/b.ts"));

    await session.command({ action: "pin", id: "src/b.ts" });
    for (const n of [1, 2, 3]) await promptAfter(session, runs(result(`call ${n}`, "an output of a call")));

    const files = (await session.list({ kind: "file" })).objects;
    expect(files.map(({ path, level, pinned }) => [path, level, pinned])).toEqual([
      ["/src/a.ts", "indexed", false],
      ["/src/b.ts", "inactive", true],
    ]);
  });

  it("has no name in the prompt on arrival, and its alias in the line that stands for it once it was folded", async () => {
    const { session } = await worldWith({ "/a": "one", "/b": "two" });
    await promptAfter(session, discovers("/a", "/b"));
    await promptAfter(session, runs(result("x", "ok")));
    const arrived = await promptAfter(session, runs(result("y", "ok")));
    await session.command({ action: "deactivate", id: "discovers" });

    const prompt = await session.assemble({ cache: "cold" });

    expect(arrived.messages.filter(({ role }) => role === "tool").map(({ text }) => text)).toEqual([
      "2 files\n".repeat(9),
      "ok",
      "ok",
    ]);
    const folded = prompt.messages.find(({ callId }) => callId === "discovers")?.text ?? "";
    expect(folded).toBe("[cm: 9 lines left out; cm_context show t1]");
    expect(await session.recall("t1")).toMatchObject({ done: true, object: { text: "2 files\n".repeat(9) } });
  });

  it("that is deactivated is folded soon, and long before it would be without that", async () => {
    const stoodFor = async (name: string | undefined): Promise<number> => {
      const text = Array.from({ length: 400 }, (_, n) => `line ${n} of a file that is read`).join("\n");
      const { session } = await worldWith({ "/a": text });
      const files = [touch("/a", "read", { startLine: 1 })];
      const answer = answering(call("read", "read", { path: "/a" }));
      await promptAfter(session, { answer, results: [result("read", text, { files })] });
      await promptAfter(session, runs(result("x", "ok")));
      if (name !== undefined) await session.command({ action: "deactivate", id: name });
      for (let requests = 1; requests <= 20; requests += 1) {
        const prompt = await promptAfter(session, runs(result(`more ${requests}`, "ok")));
        if (!JSON.stringify(prompt.messages).includes("line 200 of")) return requests;
      }
      return Number.POSITIVE_INFINITY;
    };

    for (const name of ["t1", "read"]) expect(await stoodFor(name)).toBeLessThanOrEqual(5);
    expect(await stoodFor(undefined)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("what a prompt says of a file that came", () => {
  it("does not change with the file: resumed, rebuilt and forked sessions have the same bytes", async () => {
    const { session, store, source, options } = await worldWith({ "/a": "one", "/b.ts": "two" });
    await promptAfter(session, discovers("/a", "/b.ts"));
    source.files.set("/a", "changed");
    await promptAfter(session, reads("/a", "changed"));
    source.displayRoot = "/elsewhere/";
    source.files.delete("/b.ts");
    await promptAfter(session, reads("/a", "changed", "again"));
    await promptAfter(session, says("done"));

    for (const n of [1, 2, 3]) {
      const { hash, recordedHash, complete } = await session.promptAt(n);
      expect({ n, hash, complete }).toEqual({ n, hash: recordedHash, complete: true });
    }
    const prompt = await session.assemble();
    const resumed = await openSession(options);
    // A resumed session knows today's path of a file that the open one has not met since: `moved-paths.test.ts`.
    const inLog = ({ objects: _objects, ...known }: ReturnType<typeof snapshot>) => known;
    expect(inLog(snapshot(resumed))).toEqual(inLog(snapshot(session)));
    expect((await resumed.assemble()).messages).toEqual(prompt.messages);
    const fork = await forkSession(store, { session: "s", n: 3 }, { session: "fork" });
    const forked = await openSession({ ...options, session: fork.session });
    expect((await forked.assemble()).messages).toEqual(prompt.messages);
  });

  it.each(["erase", "deactivate"] as const)("%s by origin leaves no block of it", async (how) => {
    const { session } = await worldWith({ "/secret/key.pem": "canary of the file", "/b": "two" });
    await promptAfter(session, reads("/secret/key.pem", "canary of the call ".repeat(9), "leak"));
    await promptAfter(session, discovers("/b"));
    await promptAfter(session, says("done"));
    const origin = (await session.list({ kind: "file" })).objects.find(({ path }) => path?.startsWith("/secret"));
    const ofOrigin = [origin?.id ?? "", "leak"];

    if (how === "erase") await session.erase(ofOrigin, "a leaked key");
    else for (const id of ofOrigin) await session.command({ action: "deactivate", id });
    const prompt = await session.assemble({ cache: "cold" });

    const aliases = new Set(ofOrigin.map((id) => session.view().objects.get(id)?.alias));
    const texts = parse(prompt).filter((block) =>
      block.kind === "notice"
        ? "id" in block.notice && aliases.has(block.notice.id ?? "") && block.text !== undefined
        : block.kind === "result" && block.callId === "leak" && block.text !== "",
    );
    expect(texts).toEqual([]);
    expect(JSON.stringify(prompt.messages)).not.toContain("canary");
    if (how === "erase") expect(JSON.stringify(prompt.messages)).not.toContain("key.pem");
  });
});

describe("a pinned object that is deactivated", () => {
  it("is folded with the next fold, and the pin keeps it in the pool alone", async () => {
    const { session } = await worldWith({}, { poolEntriesMax: 2 });
    await promptAfter(session, runs(result("kept", "a long output ".repeat(20))));
    await session.command({ action: "pin", id: "t1" });
    for (const n of [1, 2, 3, 4]) await promptAfter(session, runs(result(`call ${n}`, "ok")));
    const pinned = (await session.assemble({ cache: "cold" })).messages[1]?.text;
    await session.record(says("still there"));

    await session.command({ action: "deactivate", id: "t1" });
    const folded = (await session.assemble({ cache: "cold" })).messages[1]?.text;
    await session.record(says("gone"));

    expect(pinned).toBe("a long output ".repeat(20));
    expect(folded).toMatch(/^\[cm: \d+ characters left out; cm_context show t1\]$/);
    const { active, pinned: pins, pool, dismissed } = session.view().sets;
    expect([active, pins, pool, dismissed].map((set) => set.has("kept"))).toEqual([false, true, true, false]);
  });
});

interface World {
  readonly session: Session;
  readonly store: ObjectStore;
  readonly source: MapSource;
  readonly options: OpenSessionOptions;
}

async function worldWith(
  files: Readonly<Record<string, string>>,
  given: Partial<OpenSessionOptions> = {},
): Promise<World> {
  const store = createMemoryStore();
  const source = new MapSource();
  for (const [path, text] of Object.entries(files)) source.files.set(path, text);
  const options: OpenSessionOptions = {
    store,
    layout: layouts.log,
    rendererFor,
    sources: [source as Source],
    session: "s",
    now: () => 1,
    tellResumed: false,
    ...given,
  };
  return { session: await openSession(options), store, source, options };
}

/** A step, and the request after it. */
async function promptAfter(session: Session, record: StepRecord, next?: "no request"): Promise<RenderedPrompt> {
  const prompt = await session.assemble();
  await session.record(record);
  return next === undefined ? session.assemble() : prompt;
}

/** A listing that names files and shows none of them. */
const discovers = (...paths: readonly string[]): StepRecord =>
  runs(
    result("discovers", `${paths.length} files\n`.repeat(9), { files: paths.map((path) => touch(path, "discovered")) }),
  );

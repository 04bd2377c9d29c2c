// Verifies: SSOT 3.3, 4.4, design 7.7, 7.8, T3: every object can be named from the prompt alone, in the bytes of then.
import {
  type ContextPolicy,
  createMemoryStore,
  type ObjectStore,
  type RenderedPrompt,
  type Source,
  type StepRecord,
} from "@cm/object-model";
import { contextLogPolicy, logLayout, parse, poolSummaryOf, rendererFor } from "@cm/render";
import { describe, expect, it } from "vitest";
import { forkSession, type OpenSessionOptions, openSession, type Session } from "../src/index.ts";
import { MapSource } from "./support/map-source.ts";
import { reads, result, runs, says, touch } from "./support/messages.ts";
import { snapshot } from "./support/snapshot.ts";

describe("a file that a call only discovered", () => {
  it("is pinned by the name that stands in the prompt, and kept when the pool is full", async () => {
    const { session } = await worldWith({ "/src/a.ts": "one", "/src/b.ts": "two" }, { poolEntriesMax: 3 });
    const prompt = await promptAfter(session, discovers("/src/a.ts", "/src/b.ts"));

    const stub = namedFiles(prompt).find(({ path }) => path === "/src/b.ts");
    const outcome = await session.command({ action: "pin", id: stub?.id ?? "" });
    for (const n of [1, 2, 3]) await promptAfter(session, runs(result(`call ${n}`, "an output of a call")));

    expect(stub).toMatchObject({ textless: "unread" });
    expect(outcome).toMatchObject({ done: true, changed: true });
    const files = (await session.list({ kind: "file" })).objects;
    expect(files.map(({ path, level, pinned }) => [path, level, pinned])).toEqual([
      ["/src/a.ts", "indexed", false],
      ["/src/b.ts", "inactive", true],
    ]);
  });

  it("is told once, at the first call that names it, by the path that the agent knows", async () => {
    const { session, source } = await worldWith({ "/a": "one", "/b": "two" });
    source.displayRoot = "/home/agent/";
    await promptAfter(session, discovers("/a"));
    await promptAfter(session, reads("/a", "one"));

    const prompt = await promptAfter(session, runs(result("x", "ok"), ...(discovers("/b", "/a").results ?? [])));

    expect(namedFiles(prompt)).toEqual([
      { kind: "pool-file", id: "f1", path: "/home/agent/a", textless: "unread" },
      { kind: "pool-file", id: "f2", path: "/home/agent/b", textless: "unread" },
    ]);
    expect(prompt.messages.map(({ text }) => text.split("\n", 1)[0])).toEqual([
      "",
      "id=t1",
      "",
      "id=t2",
      "",
      "id=t3",
      "id=t4",
    ]);
  });

  it("stands in the line of a call that was folded, too", async () => {
    const { session } = await worldWith({ "/a": "one", "/b": "two", "/c": "three" });
    await promptAfter(session, discovers("/a", "/b", "/c"));
    await session.command({ action: "deactivate", id: "t1" });
    await promptAfter(session, runs(result("x", "ok")));
    await promptAfter(session, runs(result("y", "ok")));

    const prompt = await session.assemble({ cache: "cold" });

    const folded = prompt.messages.find(({ callId }) => callId === "discovers");
    expect(folded?.text).toMatch(/^toolcall_ref id=t1 .*files=f1\.\.f3 chars=/);
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
    expect(snapshot(resumed)).toEqual(snapshot(session));
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
    const texts = parse(prompt).filter((block) => "id" in block && aliases.has(block.id) && hasText(block));
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

    expect(pinned).toMatch(/^id=t1\na long output/);
    expect(folded).toMatch(/^toolcall_ref id=t1 /);
    const { active, pinned: pins, pool, dismissed } = session.view().sets;
    expect([active, pins, pool, dismissed].map((set) => set.has("kept"))).toEqual([false, true, true, false]);
  });
});

describe("a summary of the pool", () => {
  it("stands on top since the fold that wrote it, also in resumed, rebuilt and forked sessions", async () => {
    const { session, store, options } = await worldWith(
      { "/a": "one" },
      { layout: { policy: summing, renderer: logLayout } },
    );
    await promptAfter(session, discovers("/a"));
    const folded = await session.assemble({ cache: "cold" });
    await session.record(says("folded"));
    const next = await session.assemble();
    await session.record(says("done"));

    const top = { kind: "pool-file", id: "f1", path: "/a", textless: "unread" };
    expect(parse(folded)[1]).toEqual(top);
    expect(next.messages.slice(0, folded.messages.length)).toEqual(folded.messages);
    expect(next.kept).toEqual({ messages: folded.messages.length, chars: folded.chars });
    for (const n of [1, 2]) expect((await session.promptAt(n)).hash).toBe((await session.promptAt(n)).recordedHash);
    const prompt = await session.assemble();
    expect((await (await openSession(options)).assemble()).messages).toEqual(prompt.messages);
    await forkSession(store, { session: "s", n: 2 }, { session: "fork" });
    expect((await (await openSession({ ...options, session: "fork" })).assemble()).messages).toEqual(prompt.messages);
  });

  it("says of an erased object no more than its name", async () => {
    const { session } = await worldWith({ "/secret.pem": "one" }, { layout: { policy: summing, renderer: logLayout } });
    await promptAfter(session, discovers("/secret.pem"));
    await session.assemble({ cache: "cold" });
    await session.record(says("folded"));
    const [file] = (await session.list({ kind: "file" })).objects;

    await session.erase([file?.id ?? ""], "it should not be known");

    const prompt = await session.assemble();
    expect(prompt.messages[0]?.text).toBe('id=f1 type=file path="" [erased]');
    expect(JSON.stringify(prompt.messages)).not.toContain("secret");
  });

  const row = { alias: "t1", kind: "toolcall" } as const;
  it.each([
    ["of a strange object", { rows: [{ alias: "t9", kind: "toolcall" } as const] }],
    ["of another kind", { rows: [{ alias: "t1", kind: "file" } as const] }],
    ["twice of one object", { rows: [row, row] }],
    ["without rows", JSON.parse("{}")],
    ["with a state that there is not", { rows: [{ ...row, textless: JSON.parse('"gone"') }] }],
    ["with a tool of endless length", { rows: [{ ...row, tool: "x".repeat(5_000) }] }],
    ["with half an object", { rows: [row], folders: [{ path: "/a", objects: 0.5 }] }],
    ["of too many rows", { rows: [], folders: Array.from({ length: 1_001 }, () => ({ path: "/a", objects: 1 })) }],
  ])("%s is refused", async (_what, summary) => {
    const policy: ContextPolicy = { ...summing, decide: (v) => (v.step > 0 ? { summary } : {}) };
    const { session } = await worldWith({}, { layout: { policy, renderer: logLayout } });
    await promptAfter(session, runs(result("x", "ok")), "no request");

    await expect(session.assemble()).rejects.toMatchObject({ code: "session/invalid-decision" });
  });
});

const contextLog = contextLogPolicy();

/** Writes a summary where everything is rewritten. */
const summing: ContextPolicy = {
  ...contextLog,
  decide(view, prices) {
    const summary = view.cache === "cold" ? poolSummaryOf(view) : undefined;
    const decision = contextLog.decide(view, prices);
    return summary === undefined ? decision : { ...decision, summary };
  },
};

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
    layout: { policy: contextLog, renderer: logLayout },
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

const namedFiles = (prompt: RenderedPrompt) =>
  parse(prompt).flatMap((block) =>
    block.kind === "result" ? (block.brought ?? []).filter((line) => line.kind === "pool-file") : [],
  );

const hasText = (block: { readonly kind: string; readonly text?: string | null }): boolean =>
  (block.kind === "result" || block.kind === "active") && typeof block.text === "string";

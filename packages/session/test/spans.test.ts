// Verifies: SSOT 3.3, 4.1, 4.4, 5.6: what the agent saw of which version, and what is shown of a file without text.

import type { RenderedPrompt, Textless } from "@cm/context-log";
import { whyNotShown } from "@cm/context-log/state";
import { createMemoryStore, type ObjectStore, type Source } from "@cm/object-model";
import { parse } from "@cm/prompt-grammar";
import { layouts, rendererFor } from "@cm/render";
import { describe, expect, it } from "vitest";
import { type OpenSessionOptions, openSession, type Session } from "../src/index.ts";
import { at, MapSource } from "./support/map-source.ts";
import { answering, call, result, runs, says, touch } from "./support/messages.ts";
import { snapshot } from "./support/snapshot.ts";

const binary = new Uint8Array([0xff, 0xfe]);

describe("what the agent saw of a file", () => {
  it("is there newest first, with the lines and whether that is the version in sight", async () => {
    const { session, source } = await worldWith({ "/a": "one\ntwo\n" });
    await read(session, "/a", "one", { startLine: 1, endLine: 1 });
    await read(session, "/a", "two", { startLine: 2 });
    source.files.set("/a", "three\n");
    await read(session, "/a", "three", { startLine: 1 });

    const seen = session.seen("f1");

    expect(seen.map(({ contentHash: _hash, ...part }) => part)).toEqual([
      { toolcall: "read 3", startLine: 1, isCurrent: true },
      { toolcall: "read 2", startLine: 2, isCurrent: false },
      { toolcall: "read 1", startLine: 1, endLine: 1, isCurrent: false },
    ]);
    expect(seen[1]?.contentHash).toBe(seen[2]?.contentHash);
    expect(seen[0]?.contentHash).not.toBe(seen[1]?.contentHash);
  });

  it("is no longer current once a look has found another version", async () => {
    const { session, source } = await worldWith({ "/a": "one" });
    await read(session, "/a", "one");
    const before = session.seen("f1")[0]?.isCurrent;
    source.files.set("/a", "changed by somebody");
    await session.assemble();

    expect([before, session.seen("f1")[0]?.isCurrent]).toEqual([true, false]);
  });

  it("is the same by id, and in a session that is opened again", async () => {
    const { session, reopened } = await worldWith({ "/a": "one" });
    await read(session, "/a", "one", { startLine: 1 });
    await step(session, says("done"));
    const [{ id } = { id: "" }] = (await session.list({ kind: "file" })).objects;

    expect(session.seen(id)).toEqual(session.seen("f1"));
    expect((await reopened()).seen("f1")).toEqual(session.seen("f1"));
  });

  it("is nothing where only its path was met, the output is not known, or there is no such file", async () => {
    const { session } = await worldWith({ "/a": "one", "/b": "two" });
    await step(session, runs(result("find", "/a", { files: [touch("/a", "discovered")] })));
    await step(session, runs(result("lost", null, { files: [touch("/b", "read", { startLine: 1 })] })));

    expect([session.seen("f1"), session.seen("f2"), session.seen("t1"), session.seen("__proto__")]).toEqual([
      [],
      [],
      [],
      [],
    ]);
  });

  it("names no version of an unreadable file", async () => {
    const { session, source } = await worldWith({ "/a": "one" });
    source.unreachable.add("/a");
    await read(session, "/a", "one");

    expect(session.seen("f1")).toEqual([{ toolcall: "read 1", startLine: 1, isCurrent: false }]);
  });

  it("names no version of a file that was read before anybody could look at it", async () => {
    const { session } = await worldWith({ "/a": "two" });
    const read = { ...touch("/a", "read", { startLine: 1 }), isPast: true } as const;
    await step(session, runs(result("read", "one", { files: [read] })));

    expect(session.seen("f1")).toEqual([{ toolcall: "read", startLine: 1, isCurrent: false }]);
  });
});

describe("what the agent saw of a file that the same answer edits", () => {
  it.each([
    ["behind the read", ["read", "edit"], false],
    ["before the read", ["edit", "read"], true],
  ])("names the version where that is known: edited %s", async (_, order, isKnown) => {
    const { session } = await worldWith({ "/a": "two" });
    const [span, path] = [{ startLine: 1 }, "/a"];
    const results = order.map((tool) =>
      tool === "read"
        ? result("read", isKnown ? "two" : "one", { files: [touch(path, "read", span)] })
        : result("edit", "Done.", { files: [touch(path, "edited")] }),
    );
    await session.assemble();
    await session.record({ answer: { role: "assistant", text: "", calls: order.map((id) => call(id)) }, results });

    const [seen] = session.seen("f1");

    expect([seen?.contentHash !== undefined, seen?.isCurrent]).toEqual([isKnown, isKnown]);
  });
});

describe("a text that is read again", () => {
  const long = Array.from({ length: 60 }, (_, n) => `line ${n} of a text that is long enough`);

  it.each(["live", "opened again"] as const)("unchanged is a reference to the part that shows it, %s", async (kind) => {
    const world = await worldWith({ "/a.ts": long.join("\n") });
    await read(world.session, "/a.ts", long.join("\n"));
    const session = kind === "live" ? world.session : await world.reopened();

    await read(session, "/a.ts", long.join("\n"));
    const prompt = await session.assemble();
    const { decision } = await session.record(says("done"));

    expect(Object.values(decision.forms ?? {})).toEqual([{ form: "same", as: expect.any(String) }]);
    expect(prompt.messages.at(-1)?.text).toBe("[cm: the same 60 lines of a.ts as 1 call above; cm_context show t2]");
    expect(session.seen("f1").map(({ isCurrent }) => isCurrent)).toEqual([true, true]);
  });

  it.each(["live", "opened again"] as const)(
    "changed is the lines that changed since it was seen, %s",
    async (kind) => {
      const world = await worldWith({ "/a.ts": long.join("\n") });
      await read(world.session, "/a.ts", long.join("\n"));
      const session = kind === "live" ? world.session : await world.reopened();
      const changed = long.with(30, "another line").join("\n");
      world.source.files.set("/a.ts", changed);

      await read(session, "/a.ts", changed);
      const prompt = await session.assemble();
      const { decision } = await session.record(says("done"));

      expect(Object.values(decision.forms ?? {})).toEqual([{ form: "diff", from: expect.any(String) }]);
      expect(prompt.messages.at(-1)?.text).toMatch(
        /^\[cm: 60 lines of a\.ts left out; below is what changed since 1 call above; cm_context show t2\]\n[\s\S]*\+another line/,
      );
      expect(prompt.messages.at(-1)?.text).not.toContain("line 3 of");
      expect(session.seen("f1").map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
    },
  );
});

describe.each(["log", "ssot"] as const)("a file without text, under %s", (layout) => {
  const ways: readonly (readonly [Textless, (source: MapSource) => void])[] = [
    ["deleted", (source) => source.files.delete("/a")],
    ["binary", (source) => source.files.set("/a", binary)],
  ];

  it.each(ways)("that is %s is shown by the newest part that was seen, marked so", async (state, become) => {
    const { session, source, reopened } = await worldWith({ "/a": "one\ntwo\n" }, layout);
    await read(session, "/a", "one", { startLine: 1, endLine: 1 });
    await session.command({ action: "hide", id: "f1" });
    become(source);
    await step(session, says("it changed"));

    const outcome = await session.command({ action: "activate", id: "f1" });
    const prompt = await session.assemble();
    await session.record(says("thanks"));

    expect(outcome).toMatchObject({ done: true, changed: true });
    expect(shownTexts(prompt)).toEqual([{ state, text: "one" }]);
    const [file] = (await session.list({ kind: "file" })).objects;
    expect(file).toMatchObject({ text: "one", textless: state, charCount: 0 });
    expect(snapshot(await reopened())).toEqual(snapshot(session));
    expect(await session.promptAt(2)).toMatchObject({ prompt });
  });

  it("that is a stub and cannot be read is shown so, too", async () => {
    const { session, source, reopened } = await worldWith({ "/a": "one" }, layout);
    source.unreachable.add("/a");
    await read(session, "/a", "one as it was shown");
    await session.command({ action: "hide", id: "f1" });

    const outcome = await session.command({ action: "activate", id: "f1" });
    const prompt = await session.assemble();
    await session.record(says("thanks"));

    expect(outcome).toMatchObject({ done: true, changed: true });
    expect(shownTexts(prompt)).toEqual([{ state: "unread", text: "one as it was shown" }]);
    expect(snapshot(await reopened())).toEqual(snapshot(session));
    expect(await session.promptAt(1)).toMatchObject({ prompt });
    const next = await session.assemble();
    if (layout === "log") expect(next.messages.slice(0, prompt.messages.length)).toEqual(prompt.messages);
  });

  it("that is a stub is read first", async () => {
    const { session } = await worldWith({ "/a": "all of it" }, layout);
    await step(session, runs(result("find", "/a", { files: [touch("/a", "discovered")] })));

    const outcome = await session.command({ action: "activate", id: "f1" });
    const prompt = await session.assemble();

    expect(outcome).toMatchObject({ done: true, changed: true });
    expect(shownTexts(prompt)).toEqual([{ state: undefined, text: "all of it" }]);
  });

  it("that came back since the last look is shown as it is now", async () => {
    const { session, source } = await worldWith({ "/a": "one" }, layout);
    await step(session, runs(result("r", "edited", { files: [touch("/a", "edited")] })));
    source.files.delete("/a");
    await step(session, says("it is gone"));
    source.files.set("/a", "it is back");

    const outcome = await session.command({ action: "activate", id: "f1" });
    const prompt = await session.assemble();

    expect(outcome).toMatchObject({ done: true });
    expect(JSON.stringify(prompt)).toContain("it is back");
  });

  const reasons: readonly (readonly [string, (source: MapSource) => void])[] = [
    ["f1 cannot be shown: it was deleted, and no part of it was ever seen.", (source) => source.files.delete("/a")],
    [
      "f1 cannot be shown: it is not text, and no part of it was ever seen.",
      (source) => source.files.set("/a", binary),
    ],
    [
      "f1 cannot be shown: it is unreachable (unplugged), and no part of it was ever seen.",
      (source) => source.unreachable.add("/a"),
    ],
  ];

  it.each(reasons)("and of which nothing was seen is refused: %s", async (reason, become) => {
    const { session, source } = await worldWith({ "/a": "one" }, layout);
    await step(session, runs(result("find", "/a", { files: [touch("/a", "discovered")] })));
    become(source);
    const before = snapshot(session).sets;

    expect(await session.command({ action: "activate", id: "f1" })).toEqual({ done: false, reason });
    expect(snapshot(session).sets).toEqual(before);
  });
});

describe("a call", () => {
  it("without output is refused", async () => {
    const { session } = await worldWith({});
    await step(session, runs(result("lost", null)));

    expect(await session.command({ action: "activate", id: "t1" })).toEqual({
      done: false,
      reason: "t1 cannot be shown: no output of it is known.",
    });
  });

  it("that was erased is refused, and so is an erased file", async () => {
    const { session, store, reopened } = await worldWith({ "/a": "secret of a file" });
    await read(session, "/a", "secret of a call");
    const ids = (await session.objects()).map(({ id }) => id);
    await store.erase(ids, "a leaked key");

    const again = await reopened();

    expect(await again.command({ action: "activate", id: "t1" })).toMatchObject({
      reason: "t1 cannot be shown: its text was erased.",
    });
    expect(await again.command({ action: "activate", id: "f1" })).toMatchObject({
      reason: "f1 cannot be shown: its text was erased.",
    });
    expect(JSON.stringify(await again.assemble())).not.toContain("secret");
  });

  it("shows no part of a file that was erased, where the call itself was not", async () => {
    const { session, store, reopened } = await worldWith({ "/a": "secret of a file" });
    await read(session, "/a", "a part of it");
    const [file] = (await session.list({ kind: "file" })).objects;
    await store.erase([file?.id ?? ""], "a leaked key");

    const again = await reopened();

    expect((await again.list({ kind: "file" })).objects[0]).toMatchObject({ text: null, textless: "erased" });
    expect(await again.command({ action: "activate", id: "f1" })).toMatchObject({ done: false });
  });
});

describe("a refusal", () => {
  it.each([
    ["too_large", undefined, "f1 cannot be shown: it is too large, and no part of it was ever seen."],
    ["unread", undefined, "f1 cannot be shown: it was never read, and no part of it was ever seen."],
    [
      "unread",
      "x".repeat(999),
      `f1 cannot be shown: it is unreachable (${"x".repeat(200)}), and no part of it was ever seen.`,
    ],
  ] as const)("of what is %s says why in a bounded sentence", (textless, unreachable, expected) => {
    expect(whyNotShown({ object: { alias: "f1", kind: "file" }, textless, unreachable })).toBe(expected);
  });
});

interface World {
  readonly session: Session;
  readonly store: ObjectStore;
  readonly source: MapSource;
  readonly reopened: () => Promise<Session>;
}

async function worldWith(files: Readonly<Record<string, string>>, layout: "log" | "ssot" = "log"): Promise<World> {
  const store = createMemoryStore();
  const source = new MapSource();
  for (const [path, text] of Object.entries(files)) source.files.set(path, text);
  const options: OpenSessionOptions = {
    store,
    layout: layouts[layout],
    rendererFor,
    sources: [source as Source],
    session: "s",
    now: () => 1,
    tellResumed: false,
  };
  return { session: await openSession(options), store, source, reopened: () => openSession(options) };
}

/** Texts of files that a prompt shows apart from the calls that read them, with what is said of their state. */
function shownTexts(prompt: RenderedPrompt) {
  return parse(prompt).flatMap((block): readonly { state: Textless | undefined; text: string | null | undefined }[] => {
    if (block.kind === "active" && block.id.length === 64) return [{ state: block.state, text: block.text }];
    if (block.kind !== "notice" || block.notice.kind !== "brought-back" || block.notice.path === undefined) return [];
    return [{ state: block.notice.partly, text: block.text }];
  });
}

async function step(session: Session, record: Parameters<Session["record"]>[0]): Promise<void> {
  await session.assemble();
  await session.record(record);
}

/** A call of the read tool, which shows this text. */
async function read(
  session: Session,
  path: string,
  text: string,
  span = { startLine: 1 } as { startLine: number; endLine?: number },
) {
  const count = session.chat().toolcall_refs.length + 1;
  const callId = `read ${count}`;
  await step(session, {
    answer: answering(call(callId, "read", { path: at(path).path })),
    results: [result(callId, text, { files: [touch(path, "read", span)] })],
  });
}

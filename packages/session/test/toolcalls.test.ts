// Verifies: SSOT 2.4, 2.5, 5.7, T5: ids and objects of tool calls, whatever providers name them.
import type { StepRecord } from "@cm/context-log";
import { createMemoryStore, isInfrastructureId, isSha256, type ObjectStore } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { openSession } from "../src/index.ts";
import { MapSource } from "./support/map-source.ts";
import { answering, call, result, runs, touch } from "./support/messages.ts";
import { quietPolicy } from "./support/policies.ts";
import { openLog, openSets } from "./support/renderers.ts";
import { forSeeds } from "./support/seeds.ts";
import { intercepted, recording } from "./support/stores.ts";

describe("the object of a call", () => {
  const chain = { workspace_id: "w", session_id: "s", task_id: "t", step_id: "step-1" };

  it("says where the call was made in a governed session, and nothing of it elsewhere", async () => {
    const store = createMemoryStore();

    await sessionOf([runs({ ...result("governed", "x"), idChain: chain }, result("other", "y"))], { store });

    const found = await store.getMany(["governed", "other"]);
    expect(found.get("governed")?.document).toMatchObject({ id_chain: chain });
    expect(found.get("other")?.document).not.toHaveProperty("id_chain");
  });
});

describe("ids", () => {
  it("are those of the provider where they are free", async () => {
    const { index } = await sessionOf([runs(result("toolu_01", "x"))]);

    expect(index).toEqual(["toolu_01"]);
  });

  it("get session, step and place where a provider starts anew", async () => {
    const same = runs(result("call_1", "x"), result("call_1", "y"));

    const { index } = await sessionOf([same, same, runs(result("call_1", "x"))]);

    expect(index).toEqual(["call_1", "call_1@s", "call_1@s#1", "call_1@s#1.1", "call_1@s#2"]);
  });

  it("keep two sessions of one store apart, also where they say the same", async () => {
    const store = createMemoryStore();
    const same = runs(result("call_1", "x"));

    const first = await sessionOf([same, same], { store, session: "one" });
    const second = await sessionOf([same, same], { store, session: "two" });

    expect(first.index).toEqual(["call_1", "call_1@one"]);
    expect(second.index).toEqual(["call_1@two", "call_1@two#1"]);
  });

  it.each([
    ["an infrastructure id", "session:s", "session:s@s"],
    ["the hash of a file", "0".repeat(64), `${"0".repeat(64)}@s`],
    ["nothing", "", "@s"],
    ["another session's suffix", "call_1@other", "call_1@other@s"],
    ["an alias of a tool call", "t1", "t1@s"],
    ["an alias of a file", "f12", "f12@s"],
    ["a lone surrogate", "\ud800", "\ufffd"],
    ["a name of an object's member", "__proto__", "__proto__"],
  ])("that are %s are made safe", async (_what, callId, id) => {
    const { index } = await sessionOf([runs(result(callId, "x"))]);

    expect(index).toEqual([id]);
  });

  it("never collide with each other, infrastructure or files, for any call ids", async () => {
    const parts = [
      "call_1",
      "@",
      "s",
      "#0",
      ".0",
      "session:",
      "f1",
      "t2",
      "a".repeat(64),
      "__proto__",
      "",
      "x".repeat(600),
    ];
    await forSeeds({ short: 100, long: 10_000, file: "test/toolcalls.test.ts" }, async (random) => {
      const store = createMemoryStore();
      const records = Array.from({ length: 3 }, () =>
        runs(
          ...Array.from({ length: 6 }, () => result(random.pick(parts) + random.pick(parts), random.pick(["x", "y"]))),
        ),
      );

      const [one, two] = [
        await sessionOf(records, { store, session: "s" }),
        await sessionOf(records, { store, session: "s0" }),
      ];

      const all = [...one.index, ...two.index];
      expect(new Set(all).size).toBe(36);
      expect(all.filter((id) => isInfrastructureId(id) || isSha256(id) || /^[ft]\d+$/.test(id))).toEqual([]);
    });
  });

  it("are settled in one more commit where another session has them, and in none where this one has", async () => {
    const inner = createMemoryStore();
    await sessionOf([runs(result("call_1", "x"))], { store: inner, session: "other" });
    const { store, commits } = recording(inner);
    let attempts = 0;
    const counting: ObjectStore = {
      ...store,
      commit(writes, options) {
        attempts += 1;
        return store.commit(writes, options);
      },
    };
    const own = runs(result("call_2", "x"));

    await sessionOf([runs(result("call_1", "x")), own, own, own], { store: counting });

    expect([attempts, commits.length]).toEqual([6, 5]);
  });

  it("cost no further commit where a provider numbers its calls anew in each session", async () => {
    const inner = createMemoryStore();
    const numbered = ["call_1", "call_2", "call_3"].map((id) => runs(result(id, "x")));
    await sessionOf(numbered, { store: inner, session: "other" });
    const { store, commits } = recording(inner);
    let attempts = 0;
    const counting = intercepted(store, {
      before(method) {
        if (method === "commit") attempts += 1;
      },
    });

    const { index } = await sessionOf(numbered, { store: counting });

    expect(index).toEqual(["call_1@s", "call_2@s", "call_3@s"]);
    expect([attempts, commits.length]).toEqual([5, 4]);
  });
});

it("The id of a call is settled in one more commit, however many of its ids another writer took.", async () => {
  const inner = createMemoryStore();
  const same = runs(result("call_1", "x"));
  let attempts = 0;
  const counting = intercepted(inner, {
    before(method) {
      if (method === "commit") attempts += 1;
    },
  });
  const session = await openSession({
    store: counting,
    layout: { policy: quietPolicy, renderer: openLog },
    session: "s",
  });
  await sessionOf([same, same, same], { store: inner });
  attempts = 0;
  await session.assemble();

  await session.record(runs(result("call_1", "y")));

  expect([attempts, session.wrapper().session_index[0]]).toEqual([2, "call_1@s#0"]);
});

describe("an alias", () => {
  it("names one object only, whatever calls are called", async () => {
    const { session } = await sessionOf([runs(result("t2", "first"), result("t1", "second"))]);

    const pinned = await session.command({ action: "pin", id: "t1" });

    expect(pinned).toEqual({ done: true, id: "t2@s", changed: true });
    expect((await session.objects()).map(({ alias, id }) => [alias, id])).toEqual([
      ["t1", "t2@s"],
      ["t2", "t1@s"],
    ]);
  });

  it("stays with its object in a resumed session", async () => {
    const store = createMemoryStore();
    const source = new MapSource();
    source.files.set("/a", "").set("/b", "");
    const touched = { files: [touch("/b", "read"), touch("/a", "edited")] };
    const { session } = await sessionOf([runs(result("one", "", touched)), runs(result("two", ""))], { store, source });

    const resumed = await openSession({ store, layout: { policy: quietPolicy, renderer: openLog }, session: "s" });

    const names = async (some: typeof session) => (await some.objects()).map(({ alias, id }) => [alias, id]);
    expect(await names(resumed)).toEqual(await names(session));
    expect((await names(resumed)).map(([alias]) => alias)).toEqual(["t1", "f1", "f2", "t2"]);
  });
});

describe("objects", () => {
  it("carry what SSOT 2.5 lists", async () => {
    const source = new MapSource();
    source.files.set("/a", "text");
    const files = [touch("/a", "read", { startLine: 2, endLine: 3 }), touch("/gone", "discovered")];
    const record: StepRecord = {
      answer: answering(call("c", "read", { path: "/a", limit: 2 })),
      results: [
        result("c", "text", { files, failed: true, attachments: [{ mime: "image/png", data: new Uint8Array([7]) }] }),
      ],
    };

    const { store, index } = await sessionOf([record], { source });

    const document = (await store.getMany(["c"])).get("c")?.document;
    const [, file = ""] = index;
    const version = (await store.getMany([file])).get(file)?.contentHash;
    expect(document).toMatchObject({
      type: "toolcall",
      source: null,
      content: "text",
      tool: "read",
      args: { path: "/a", limit: 2 },
      args_display: "/a",
      status: "fail",
      chat_ref: "chat:s",
      file_refs: [file],
      spans: [{ file, start_line: 2, end_line: 3, content_hash: version }],
      attachments: [{ mime: "image/png", bytes: 1 }],
    });
  });

  it.each([
    [{ command: "ls -l\n\tx" }, "ls -l x"],
    [{ other: 1, path: "/p" }, "/p"],
    [{ cmd: "ls -l", workdir: "/p" }, "ls -l"],
    [{ n: 1 }, '{"n":1}'],
    [{ command: "  " }, '{"command":" "}'],
    [{}, undefined],
    [{ path: "a\u202Eb\u2028c\u0000d" }, "a b c d"],
    [{ query: "x".repeat(500) }, `${"x".repeat(159)}…`],
  ])("show arguments in one line: %o", async (args, line) => {
    const { store } = await sessionOf([{ answer: answering(call("c", "any", args)), results: [result("c", "")] }]);

    const document = (await store.getMany(["c"])).get("c")?.document;

    expect(document?.args_display).toBe(line);
  });

  it("drop spans that name no lines, and keep the touch", async () => {
    const spans = [{ startLine: 0 }, { startLine: 1.5 }, { startLine: 1, endLine: -1 }, { startLine: Number.NaN }];
    const files = spans.map((span, place) => touch(`/${place}`, "read", span));

    const source = new MapSource();
    for (const place of spans.keys()) source.files.set(`/${place}`, "");

    const { store } = await sessionOf([runs(result("c", "", { files }))], { source });

    const document = (await store.getMany(["c"])).get("c")?.document;
    expect(document).toMatchObject({ file_refs: Array.from(spans, () => expect.any(String)) });
    expect(document).not.toHaveProperty("spans");
  });
});

describe("results and calls", () => {
  it("that share an id belong together in their order", async () => {
    const { session } = await sessionOf([
      {
        answer: answering(call("call_1", "read", { path: "/a" }), call("call_1", "bash", { command: "ls" })),
        results: [result("call_1", "of read"), result("call_1", "of bash")],
      },
    ]);

    const entries = session.view().log.slice(1);

    expect(entries).toMatchObject([
      { tool: "read", args: { path: "/a" }, text: "of read" },
      { tool: "bash", args: { command: "ls" }, text: "of bash" },
    ]);
    expect(session.view().log[0]).toMatchObject({
      calls: [
        { tool: "read", args: { path: "/a" }, object: "call_1" },
        { tool: "bash", args: { command: "ls" }, object: "call_1@s" },
      ],
    });
  });

  it("may come late, and then belong to the oldest call that waits", async () => {
    const { session } = await sessionOf([
      { answer: answering(call("c", "first"), call("c", "second")) },
      { answer: answering(call("c", "third")), results: [result("c", "of third"), result("c", "of first")] },
    ]);
    await session.receive([result("c", "of second"), result("c", "of nobody")]);

    const tools = session.view().log.flatMap((entry) => (entry.kind === "result" ? [[entry.tool, entry.text]] : []));

    expect(tools).toEqual([
      ["third", "of third"],
      ["first", "of first"],
      ["second", "of second"],
      ["unknown", "of nobody"],
    ]);
  });

  it("that are unknown, empty or without output are kept as they are", async () => {
    const { session } = await sessionOf([runs(), { answer: answering(), results: [result("nobody's", null)] }]);

    expect(session.view().log.at(-1)).toMatchObject({ kind: "result", tool: "unknown", args: {}, text: null });
    expect((await session.objects())[0]).toMatchObject({ text: null, textless: "unread" });
  });

  it("that are late name their files and the parts they showed", async () => {
    const source = new MapSource();
    source.files.set("/a", "text");
    const { session, store } = await sessionOf([{ answer: answering(call("late", "read")) }], { source });
    await session.receive([result("late", "text", { files: [touch("/a", "read", { startLine: 1 })] })]);
    await session.assemble();
    await session.record(runs());

    const document = (await store.getMany(["late"])).get("late")?.document;

    const [file] = (await session.objects()).filter(({ kind }) => kind === "file");
    expect(document).toMatchObject({ file_refs: [file?.id], spans: [{ file: file?.id, start_line: 1 }] });
    expect([file?.level, file?.text]).toEqual(["active", "text"]);
  });

  it("are found again where the process died after storing them", async () => {
    const store = createMemoryStore();
    await sessionOf([{ answer: answering(call("late", "read")) }], { store });
    for (let life = 0; life < 3; life += 1) {
      const session = await openSession({ store, layout: { policy: quietPolicy, renderer: openSets }, session: "s" });
      await session.receive([result("late", "text")]);
    }

    const { versions } = await store.find({ type: "toolcall" });

    expect(versions.map(({ id }) => id)).toEqual(["late"]);
  });
});

interface Setting {
  readonly store?: ObjectStore;
  readonly session?: string;
  readonly source?: MapSource;
}

/** A session with some steps. */
async function sessionOf(records: readonly StepRecord[], setting: Setting = {}) {
  const { store = createMemoryStore(), session: id = "s", source = new MapSource() } = setting;
  const session = await openSession({
    store,
    layout: { policy: quietPolicy, renderer: openLog },
    sources: [source],
    session: id,
  });
  for (const record of records) {
    await session.assemble();
    await session.record(record);
  }
  return { session, store, index: session.wrapper().session_index };
}

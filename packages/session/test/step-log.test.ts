// @module-tag long
// Verifies: SSOT 2.5, 3.1, 5.7, 3.8: what one step writes, and how steps hang together.
import { createMemoryStore, type DocumentOf, isDocumentOf, type ObjectStore, sha256 } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { openSession } from "../src/index.ts";
import { quietly } from "./support/layouts.ts";
import { MapSource } from "./support/map-source.ts";
import { answering, call, reads, result, runs, says, touch, user } from "./support/messages.ts";
import { decides, quietPolicy } from "./support/policies.ts";
import { openLog, openSets } from "./support/renderers.ts";
import { recording } from "./support/stores.ts";

const options = { layout: { policy: quietPolicy, renderer: openLog }, session: "s", now: () => 1_000 };

describe("a step", () => {
  it("is one commit with everything in it", async () => {
    const { store, commits } = recording(createMemoryStore());
    const source = new MapSource();
    source.files.set("/a", "text");
    const session = await openSession({ ...options, store, sources: [source] });
    commits.length = 0;
    await session.receive([{ ...user("look"), attachments: [{ mime: "image/png", data: new Uint8Array([1]) }] }]);
    await session.assemble({ systemPrompt: "new" });
    await session.command({ action: "pin", id: "t1" });

    await session.record(reads("/a", "text", "c"));

    expect(commits.map(({ writes }) => writes.map(({ document, expect }) => [document.type, expect]))).toEqual([
      [
        ["attachment", "any"],
        ["file", "absent"],
        ["toolcall", "absent"],
        ["system_prompt", "any"],
        ["step", "absent"],
        ["session", "v1"],
        ["chat", "v2"],
      ],
    ]);
  });

  it("has the fields that the specification lists", async () => {
    const store = createMemoryStore();
    const source = new MapSource();
    source.files.set("/a", "text");
    const session = await openSession({ ...options, store, sources: [source] });
    await session.receive([user("look")]);
    await session.assemble();
    await session.record({
      answer: { ...answering(call("c", "read", { path: "/a" }), call("open")), text: "I look.", model: "m" },
      results: [result("c", "text", { files: [touch("/a", "read", { startLine: 1, endLine: 1 })] })],
      usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
    });

    const step = await stepOf(store, 0);

    const [file = ""] = session.wrapper().session_index.filter((id) => id !== "c");
    const added = { added: ["c", file] };
    expect(step).toMatchObject({
      "xt/id": "step:s:0",
      session_ref: "session:s",
      n: 0,
      parent: null,
      turn: 0,
      messages: [
        { role: "user", text: "look" },
        {
          role: "assistant",
          text: "I look.",
          calls: [
            { call_id: "c", tool: "read", object: "c" },
            { call_id: "open", tool: "bash", args: { command: "open" } },
          ],
          model: "m",
        },
        { role: "tool", call_id: "c", object: "c" },
      ],
      changes: { index: added, pool: added, active: added },
      layout: "open-log/1",
      decision: {},
      basis: "m1",
      usage: { input: 1, output: 2, cache_read: 3, cache_write: 4 },
      recorded_at: 1_000,
    });
    expect(step.observed?.map(({ file: id }) => id)).toEqual([file]);
    expect(step).not.toHaveProperty("changes_before");
  });

  it("tells changes before its request from those after it", async () => {
    const store = createMemoryStore();
    const session = await openSession({ ...options, store });
    await session.assemble();
    await session.record(runs(result("a", ""), result("b", "")));
    await session.command({ action: "pin", id: "a" });
    await session.assemble();
    await session.command({ action: "pin", id: "b" });

    await session.record(says("done"));

    const { changes_before, changes } = await stepOf(store, 1);
    expect([changes_before, changes]).toEqual([{ pinned: { added: ["a"] } }, { pinned: { added: ["b"] } }]);
  });

  it("records only what came of changes that took each other back", async () => {
    const store = createMemoryStore();
    const session = await openSession({ ...options, store });
    await session.assemble();
    await session.record(runs(result("a", "")));
    for (const action of ["pin", "unpin", "pin", "unpin"] as const) await session.command({ action, id: "a" });
    await session.assemble();

    await session.record(says("done"));

    expect(await stepOf(store, 1)).not.toHaveProperty("changes_before");
  });

  it("works with an answer that says and calls nothing", async () => {
    const session = await openSession({ ...options, store: createMemoryStore() });
    await session.assemble();

    const { n } = await session.record(says(""));

    expect([n, session.chat().turns]).toEqual([
      0,
      [{ user: [], assistant: [{ text: "", thinking: [], calls: [] }], toolcall_refs: [] }],
    ]);
  });

  it("carries the policy's decision, as it was when it was made", async () => {
    const store = createMemoryStore();
    const names: [number, number][] = [[0, 2]];
    const forms = { "1": { form: "reference" as const, names } };
    const session = await openSession({ ...options, store });
    await session.assemble();
    await session.record(runs(result("a", "text")));
    const folding = await openSession({
      ...options,
      store,
      layout: { policy: decides({ forms, fold: { cut: 1, reason: "test" } }), renderer: openLog },
    });
    await folding.assemble();
    names.push([2, 4]);

    const { decision } = await folding.record(says("done"));

    expect(decision).toEqual({
      forms: { "1": { form: "reference", names: [[0, 2]] } },
      fold: { cut: 1, reason: "test" },
    });
    expect((await stepOf(store, 1)).decision).toEqual(decision);
  });
});

describe("the heads", () => {
  it("have one size after the first step and after the 150th", async () => {
    const { store, commits } = recording(createMemoryStore());
    const session = await openSession({ ...options, store });
    for (let n = 0; n < 150; n += 1) {
      await session.assemble();
      await session.record(runs(result(`call ${n}`, "x")));
    }

    const sizes = commits.map(({ writes }) =>
      writes
        .filter(({ document }) => ["chat", "session"].includes(document.type))
        .reduce((sum, { document }) => sum + JSON.stringify(document).length, 0),
    );

    // The counts in them have more digits, and one names a keyframe.
    expect((sizes.at(-1) ?? 0) - (sizes[1] ?? 0)).toBeLessThan(60);
  });

  it("count what is on the path, and chain its steps", async () => {
    const store = createMemoryStore();
    const session = await openSession({ ...options, store });
    await session.receive([user("one")]);
    await session.assemble();
    await session.record({ answer: answering(call("a"), call("late")), results: [result("a", "")] });
    await session.receive([result("late", "at last"), user("two")]);
    await session.assemble();
    await session.record(says("done"));

    const [first, second] = [await stepOf(store, 0), await stepOf(store, 1)];
    const heads = await store.getMany(["chat:s", "session:s"]);

    const chain = sha256(sha256(sha256("s") + first.content_hash) + second.content_hash);
    expect(heads.get("chat:s")?.document).toMatchObject({
      turn_count: 2,
      step_count: 2,
      toolcall_count: 2,
      chain,
      head: { session: "s", n: 1 },
    });
    expect(heads.get("session:s")?.document).toMatchObject({
      next_step: 2,
      head: { session: "s", n: 1 },
      chain,
      index_count: 2,
      pool_count: 2,
      active_count: 2,
      pinned_count: 0,
    });
  });
});

describe("keyframes", () => {
  it("hold the full sets after every so many steps, in the order of the index", async () => {
    const { store, commits } = recording(createMemoryStore());
    const session = await openSession({ ...options, store, layout: quietly(openSets), keyframeEverySteps: 3 });
    for (let n = 0; n < 7; n += 1) {
      await session.assemble();
      await session.record(runs(result(`call ${n}`, "x")));
      await session.command({ action: n % 2 === 0 ? "pin" : "hide", id: `call ${n}` });
    }

    const written = commits.flatMap(({ writes }) => writes.filter(({ document }) => document.type === "keyframe"));

    expect(written.map(({ document }) => document["xt/id"])).toEqual(["keyframe:s:2", "keyframe:s:5"]);
    expect(written[1]?.document).toMatchObject({
      n: 5,
      index: ["call 0", "call 1", "call 2", "call 3", "call 4", "call 5"],
      pool: ["call 0", "call 2", "call 4", "call 5"],
      active: ["call 0", "call 2", "call 4", "call 5"],
      pinned: ["call 0", "call 2", "call 4"],
      dismissed: [],
      requested: [],
    });
    expect((await store.getMany(["session:s"])).get("session:s")?.document).toMatchObject({ keyframe: "keyframe:s:5" });
  });

  it("are left out where a session has more objects than a document can list", async () => {
    const { store, commits } = recording(createMemoryStore());
    const session = await openSession({ ...options, store, keyframeEverySteps: 3 });
    // Three bytes each.
    const long = "€".repeat(490);
    for (let n = 0; n < 6; n += 1) {
      await session.assemble();
      await session.record({
        answer: says("").answer,
        results: Array.from({ length: 1_000 }, (_, place) => result(`${long} ${n} ${place}`, null)),
      });
    }

    const keyframes = commits.map(({ writes }) => writes.some(({ document }) => document.index !== undefined));

    expect([keyframes[3], keyframes[6]]).toEqual([true, false]);
    expect(session.wrapper().session_index).toHaveLength(6_000);
  });
});

describe("a new session", () => {
  it("has its infrastructure from the start", async () => {
    const { store, commits } = recording(createMemoryStore());

    await openSession({ ...options, store, systemPrompt: "Be brief." });

    expect(commits).toHaveLength(1);
    expect(commits[0]?.writes.map(({ document }) => [document["xt/id"], document.content])).toEqual([
      ["session:s", null],
      ["chat:s", null],
      ["system_prompt:s", "Be brief."],
      ["lease:s", null],
    ]);
  });

  it("has an empty system prompt where none is given", async () => {
    const store = createMemoryStore();

    await openSession({ ...options, store });

    expect((await store.getMany(["system_prompt:s"])).get("system_prompt:s")?.document?.content).toBe("");
  });
});

async function stepOf(store: ObjectStore, n: number): Promise<DocumentOf<"step">> {
  const document = (await store.getMany([`step:s:${n}`])).get(`step:s:${n}`)?.document;
  if (document === undefined || !isDocumentOf(document, "step")) throw new Error(`There is no step ${n}.`);
  return document;
}

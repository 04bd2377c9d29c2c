// Verifies: SSOT 3.3, 4.3, 4.4 (7), harness/1: receive, assemble, command and record, in every order.
import type { ContextPolicy, PromptDecision, Renderer } from "@cm/context-log";
import { createMemoryStore } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { openSession } from "../src/index.ts";
import { answering, call, result, runs, says, user } from "./support/messages.ts";
import { decides, quietPolicy, recallsOf } from "./support/policies.ts";
import { openLog, openSets } from "./support/renderers.ts";
import { snapshot } from "./support/snapshot.ts";

describe("a request", () => {
  it("is the same bytes when it is asked for again, whatever was commanded in between", async () => {
    const session = await withCalls(openLog);

    const first = await session.assemble();
    await session.command({ action: "pin", id: "a" });
    const second = await session.assemble();

    expect(second).toBe(first);
  });

  it("is made anew when something came in, or the cache or the system prompt changed", async () => {
    const session = await withCalls(openLog);
    const first = await session.assemble();

    const cold = await session.assemble({ cache: "cold" });
    const told = await session.assemble({ cache: "cold", systemPrompt: "new" });
    await session.receive([user("more")]);
    const more = await session.assemble({ cache: "cold" });

    expect(new Set([first, cold, told, more]).size).toBe(4);
    expect([first.system, cold.system, told.system, more.system]).toEqual(["", "", "new", "new"]);
  });

  it("is needed before its answer is recorded, once", async () => {
    const session = await withCalls(openLog);

    await expect(session.record(says("too early"))).rejects.toMatchObject({ code: "session/no-request" });
    await session.assemble();
    await session.record(says("in time"));
    await expect(session.record(says("twice"))).rejects.toMatchObject({ code: "session/no-request" });
  });

  it("is given up by what comes in, so that an answer to it is refused", async () => {
    const session = await withCalls(openLog);
    await session.assemble();
    await session.receive([user("wait")]);

    await expect(session.record(says("late"))).rejects.toMatchObject({ code: "session/no-request" });
  });

  it("stands while nothing came in: an empty delivery changes nothing but the request", async () => {
    const session = await withCalls(openLog);
    const before = snapshot(session);
    await session.assemble();

    await session.receive([]);

    expect(snapshot(session)).toEqual(before);
  });

  it("goes with a system prompt that gets a version when it changes, and only then", async () => {
    const store = createMemoryStore();
    const session = await openSession({
      store,
      layout: { policy: quietPolicy, renderer: openLog },
      session: "s",
      systemPrompt: "a",
    });
    for (const systemPrompt of ["a", "b", undefined, "b", "a"]) {
      await session.assemble(systemPrompt === undefined ? {} : { systemPrompt });
      await session.record(says(""));
    }

    const { versions } = await store.history("system_prompt:s", { documents: true });
    const prompts = await Promise.all([0, 1, 2, 3, 4].map((n) => session.promptAt(n)));

    expect(versions.map(({ document }) => document?.content)).toEqual(["a", "b", "a"]);
    expect(prompts.map(({ prompt }) => prompt.system)).toEqual(["a", "b", "b", "b", "a"]);
  });

  it("that was never recorded leaves no trace", async () => {
    const store = createMemoryStore();
    const session = await openSession({
      store,
      layout: { policy: quietPolicy, renderer: openLog },
      session: "s",
      systemPrompt: "a",
    });
    await session.assemble({ systemPrompt: "b" });

    const resumed = await openSession({ store, layout: { policy: quietPolicy, renderer: openLog }, session: "s" });

    expect((await resumed.assemble()).system).toBe("a");
  });
});

describe("a command", () => {
  it("after a request is meant for what the request shows: collapsed, then activated", async () => {
    const session = await withCalls(openSets, decides({ deactivate: ["a"] }));
    await session.assemble();
    const collapsed = session.wrapper().active_set;

    const outcome = await session.command({ action: "activate", id: "a" });
    await session.record(says("done"));

    expect(collapsed).toEqual(["b"]);
    expect(outcome).toMatchObject({ done: true, changed: true });
    expect(session.wrapper().active_set).toEqual(["a", "b"]);
  });

  it("after a fold asks for the text back at the tail", async () => {
    const session = await withCalls(openLog, folding("a"));
    await session.assemble();

    await session.command({ action: "activate", id: "a" });
    await session.record(says("done"));
    const next = await session.assemble();
    await session.record(says("thanks"));

    expect(next.messages.at(-2)?.text).toMatch(/ text of a$/);
    expect(session.view().log.filter(({ kind }) => kind === "recalled")).toMatchObject([{ object: "a" }]);
    expect([...session.view().sets.requested]).toEqual([]);
    expect(session.wrapper().active_set).toEqual(["a", "b"]);
  });

  it("holds on to its meaning when the request is given up", async () => {
    const session = await withCalls(openLog, folding("a"));
    await session.assemble();
    await session.command({ action: "activate", id: "a" });
    await session.command({ action: "pin", id: "b" });

    await session.receive([user("wait")]);

    const { active, pinned, requested } = session.view().sets;
    expect([[...active].sort(), [...pinned], [...requested]]).toEqual([["a", "b"], ["b"], []]);
  });

  it("before the first request and between steps is part of the next step", async () => {
    const store = createMemoryStore();
    const session = await withCalls(openLog, quietPolicy, store);
    await session.command({ action: "hide", id: "a" });
    await session.command({ action: "pin", id: "t2" });
    await session.assemble();
    await session.record(says("done"));

    const resumed = await openSession({ store, layout: { policy: quietPolicy, renderer: openLog }, session: "s" });

    expect(resumed.wrapper()).toMatchObject({ metadata_pool: ["b"], pinned_set: ["b"], active_set: ["b"] });
    expect((await resumed.objects()).map(({ id, level, pinned }) => [id, level, pinned])).toEqual([
      ["a", "indexed", false],
      ["b", "active", true],
    ]);
  });

  it("hides and reads the same object in one step: what came last holds", async () => {
    const store = createMemoryStore();
    const session = await openSession({ store, layout: { policy: quietPolicy, renderer: openSets }, session: "s" });
    await session.receive([]);
    await session.assemble();
    const read = runs(result("c", "x", { files: [fileTouch] }));
    await session.record(read);
    await session.assemble();
    await session.command({ action: "hide", id: "f1" });

    await session.record(read);

    const resumed = await openSession({ store, layout: { policy: quietPolicy, renderer: openSets }, session: "s" });
    expect(session.wrapper()).toEqual(resumed.wrapper());
    expect((await session.objects()).find(({ alias }) => alias === "f1")?.level).toBe("active");
  });

  it("answers a refusal with a sentence and changes nothing", async () => {
    const session = await withCalls(openLog);
    await session.command({ action: "pin", id: "a" });
    const before = snapshot(session);

    const outcomes = [
      await session.command({ action: "hide", id: "a" }),
      await session.command({ action: "activate", id: "t9" }),
      await session.command({ action: "show", id: "session:s" }),
    ];

    expect(outcomes).toEqual([
      { done: false, reason: "The object is pinned; unpin it first." },
      { done: false, reason: "This session has not met such an object; list its objects." },
      { done: false, reason: "Infrastructure objects have no context level." },
    ]);
    expect(snapshot(session)).toEqual(before);
  });

  it("says whether anything changed", async () => {
    const session = await withCalls(openLog);

    const outcomes = [
      await session.command({ action: "pin", id: "a" }),
      await session.command({ action: "pin", id: "t1" }),
    ];

    expect(outcomes).toEqual([
      { done: true, id: "a", changed: true },
      { done: true, id: "a", changed: false },
    ]);
  });
});

describe("a decision", () => {
  const run = (other: object) => ({ line: 0, count: 1, in: "1", from: 0, ...other });
  const wrong: readonly (readonly [string, PromptDecision])[] = [
    ["a part outside the log", { forms: { "99": { form: "full" } } }],
    ["a part that is an answer", { forms: { "0": { form: "full" } } }],
    ["arguments of a result", { forms: { "1.0": { form: "reference" } } }],
    ["a call that the answer has not", { forms: { "0.2": { form: "reference" } } }],
    ["a place with a sign", { forms: { "+1": { form: "full" } } }],
    ["a prototype key", { forms: { constructor: { form: "full" } } }],
    ["another part outside the log", { forms: { "1": { form: "same", as: "99" } } }],
    ["an older part outside the log", { forms: { "1": { form: "diff", from: "99" } } }],
    ["a strange object", { recall: [{ object: "session:s", into: 1 }] }],
    ["an answer as the place of a recall", { recall: [{ object: "a", into: 0 }] }],
    ["no place for a recall", { recall: [{ object: "a", into: -1 }] }],
    ["a recall by its object alone", { recall: JSON.parse('["a"]') }],
    ["a strange object to collapse", { deactivate: ["__proto__"] }],
    ["a cut behind the log", { fold: { cut: 4, reason: "" } }],
    ["a call that leaves without its result", { omit: [[0, 2]] }],
    ["a result that leaves without its call", { omit: [[1, 2]] }],
    ["what leaves outside the log", { omit: [[0, 99]] }],
    ["half a cut", { fold: { cut: 0.5, reason: "" } }],
    ["a form that there is not", { forms: JSON.parse('{"1":{"form":"gone"}}') }],
    ["a form that is none", { forms: JSON.parse('{"1":null}') }],
    ["what JSON cannot carry", { forms: { "1": { form: "same", as: "\ud800" } } }],
    ["a text in place of a place", { forms: JSON.parse('{"1":{"form":"reference","names":["secret"]}}') }],
    ["repeated lines outside the log", { forms: { "1": { form: "pointer", runs: [run({ in: "99" })] } } }],
    ["repeated lines that are none", { forms: { "1": { form: "pointer", runs: [run({ count: 0 })] } } }],
    ["repeated lines that are no list", { forms: JSON.parse('{"1":{"form":"pointer","runs":"0"}}') }],
    ["the same lines twice", { forms: { "1": { form: "pointer", runs: [run({ count: 2 }), run({ line: 1 })] } } }],
    ["a place that ends before it begins", { forms: { "1": { form: "reference", lines: [[3, 2]] } } }],
  ];

  it.each(wrong)("that names %s is refused before anything is sent", async (_what, decision) => {
    const session = await withCalls(openLog, decides(decision));
    const before = snapshot(session);

    await expect(session.assemble()).rejects.toMatchObject({ code: "session/invalid-decision" });

    expect(snapshot(session)).toEqual(before);
  });

  it.each([
    [
      "a form that there is not",
      { forms: JSON.parse('{"1":{"form":"gone"}}') },
      "part 1 none of the forms full, sparse",
    ],
    ["a part outside the log", { forms: { "99": { form: "full" } } }, "part 99, which is not in the log"],
  ] as const)("that names %s is refused with the part", async (_what, decision, said) => {
    const session = await withCalls(openLog, decides(decision));

    await expect(session.assemble()).rejects.toThrow(said);
  });

  it("that lets a call leave which waits for its result is refused, and taken once the call was of an earlier turn", async () => {
    const store = createMemoryStore();
    const first = await openSession({ store, layout: { policy: quietPolicy, renderer: openLog }, session: "s" });
    await first.receive([user("Begin.")]);
    await first.assemble();
    await first.record({ answer: answering(call("a")) });
    const policy = decides({ omit: [[1, 2]] });
    const session = await openSession({ store, layout: { policy, renderer: openLog }, session: "s" });

    await expect(session.assemble()).rejects.toMatchObject({ code: "session/invalid-decision" });
    await session.receive([user("Do something else.")]);
    await session.assemble();

    expect(session.view().turn).toBe(1);
  });

  it("may fold results, recalled text and arguments, and unfold them again", async () => {
    const decisions: PromptDecision[] = [
      { recall: [{ object: "a", into: 2 }] },
      { forms: { "1": { form: "reference" }, "3": { form: "reference" }, "0.1": { form: "reference" } } },
      { forms: { "3": { form: "full" } } },
    ];
    const session = await withCalls(openLog, { ...quietPolicy, decide: () => decisions.shift() ?? {} });
    const active: (readonly string[])[] = [];

    for (let n = 0; n < 3; n += 1) {
      await session.assemble();
      await session.record(says("."));
      active.push(session.wrapper().active_set);
    }

    expect(active).toEqual([["a", "b"], ["b"], ["a", "b"]]);
    expect(Object.fromEntries(session.view().forms)).toEqual({
      "0.1": { form: "reference" },
      "1": { form: "reference" },
    });
  });

  it("may fold a text and bring it back in one", async () => {
    const session = await withCalls(
      openLog,
      decides({ forms: { "1": { form: "reference" } }, recall: [{ object: "a", into: 1 }] }),
    );
    await session.assemble();

    await session.record(says("done"));

    expect(session.wrapper().active_set).toEqual(["a", "b"]);
  });

  it("recalls nothing of objects without text, and says so in the record", async () => {
    const session = await openSession({
      store: createMemoryStore(),
      layout: {
        policy: { ...quietPolicy, decide: (view) => ({ recall: recallsOf(view, view.sets.index) }) },
        renderer: openLog,
      },
    });
    await session.assemble();
    await session.record(runs(result("a", null), result("b", "")));
    await session.assemble();

    const { decision } = await session.record(says("done"));

    expect(decision).toEqual({ recall: [{ object: "b", into: 2 }] });
  });
});

describe("a session that is closed", () => {
  it("ends what was asked before and refuses what comes after", async () => {
    const session = await withCalls(openLog);
    const assembled = session.assemble();
    const recorded = session.record(says("last"));

    await session.abandon();

    expect([(await assembled).layout, (await recorded).n]).toEqual(["open-log/1", 1]);
    await expect(session.receive([])).rejects.toMatchObject({ code: "session/closed" });
    await expect(session.objects()).rejects.toMatchObject({ code: "session/closed" });
    expect(session.chat().turn_count).toBe(1);
  });
});

const fileTouch = { binding: { type: "filesystem", filesystemId: "fs", path: "/a" }, as: "read" } as const;

/** A session with one step, whose calls `a` and `b` stand in full. */
async function withCalls(renderer: Renderer, policy: ContextPolicy = quietPolicy, store = createMemoryStore()) {
  const first = await openSession({ store, layout: { policy: quietPolicy, renderer }, session: "s" });
  await first.assemble();
  const results = [result("a", "text of a"), result("b", "text of b")];
  await first.record({ answer: answering(call("a"), call("b")), results });
  return openSession({ store, layout: { policy, renderer }, session: "s" });
}

/** Folds the first result, and brings back what is asked for. */
function folding(object: string): ContextPolicy {
  return {
    ...quietPolicy,
    decide(view) {
      const forms =
        view.sets.active.has(object) && view.forms.size === 0 ? { "1": { form: "reference" as const } } : {};
      return { forms, recall: recallsOf(view, view.sets.requested) };
    },
  };
}

// Verifies: SSOT 5.1, decision 75, T1: what others made of recorded messages is sent from then on, and only from then on.
import type { Amendment, LogEntry, RenderedPrompt } from "@cm/context-log";
import { createMemoryStore, isDocumentOf, type ObjectStore } from "@cm/object-model";
import { layouts, rendererFor as shippedRendererFor } from "@cm/render";
import type { Random } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import {
  forkSession,
  limits,
  type OpenSessionOptions,
  openSession,
  rebuildPrompts,
  type Session,
} from "../src/index.ts";
import { all } from "./support/all.ts";
import { at, MapSource } from "./support/map-source.ts";
import { answering, call, result, runs, says, touch, user } from "./support/messages.ts";
import { quietPolicy, restlessPolicy } from "./support/policies.ts";
import { openLog, rendererFor } from "./support/renderers.ts";
import { forSeeds } from "./support/seeds.ts";
import { snapshot } from "./support/snapshot.ts";
import { everythingIn } from "./support/stores.ts";

const file = "test/amend.test.ts";

/** Where the messages of `withSteps` stand in the log. */
const [prompt, answer, output] = [0, 1, 2];

describe("an amendment", () => {
  it("is sent from the next request on: text of user, model and tool, and arguments", async () => {
    const { session } = await withSteps();

    await session.amend([
      { at: prompt, text: "asked otherwise" },
      { at: answer, text: "said otherwise", args: { 1: { command: "another" } } },
      { at: output, text: "pruned" },
    ]);

    const sent = textOf(await session.assemble());
    for (const now of ["asked otherwise", "said otherwise", '"another"', "pruned", "output of b"])
      expect(sent).toContain(now);
    for (const before of ["prompt 0", "said 0", '"cmd b"', "output of a"]) expect(sent).not.toContain(before);
    expect(sent).toContain('"cmd a"');
  });

  it("survives in a client that opens the session, in a fork, and in every request that is rebuilt", async () => {
    const { session, store, options } = await withSteps();
    await session.amend([
      { at: output, text: "output pruned" },
      { at: answer, args: { 0: { command: "other" } } },
    ]);
    const amended = await session.assemble();
    await session.record(says("done"));
    const next = await session.assemble();

    const resumed = await openSession(options);
    expect(snapshot(resumed)).toEqual(snapshot(session));
    expect((await resumed.assemble()).messages).toEqual(next.messages);
    await forkSession(store, { session: "s", n: 1 }, { session: "after" });
    await forkSession(store, { session: "s", n: 0 }, { session: "before" });
    const [after, before] = await Promise.all(
      ["after", "before"].map(async (name) => (await openSession({ ...options, session: name })).view().log[output]),
    );
    expect([after, before]).toMatchObject([{ text: "output pruned" }, { text: "output of a" }]);
    expect(await session.promptAt(1)).toMatchObject({ prompt: { messages: amended.messages }, complete: true });
    expect(textOf((await session.promptAt(0)).prompt)).toContain("prompt 0");
    await expectRebuilt(store);
  });

  it("ends what a request keeps of the one before it, under the layouts that ship as well", async () => {
    for (const layout of [layouts.log, layouts.ssot]) {
      const store = createMemoryStore();
      const session = await openSession({ store, session: "s", layout, rendererFor: shippedRendererFor });
      await session.receive([user("asked")]);
      await session.assemble();
      await session.record({ answer: answering(call("a")), results: [result("a", "output of a")] });
      await session.assemble();
      await session.record(says("done"));
      const before = await session.assemble();
      await session.receive([user("more")]);
      await session.amend([{ at: answer, text: "said otherwise" }]);

      const { messages, kept } = await session.assemble();

      const changed = messages.findIndex((message, place) => message.text !== before.messages[place]?.text);
      expect(messages[changed]?.text).toBe("said otherwise");
      expect(kept.messages).toBe(changed);
    }
  });

  it("is taken back by one that says nothing: the recorded text is sent again", async () => {
    const { session, store, options } = await withSteps();
    const recorded = session.view().log.slice(0, 3);
    await session.amend([
      { at: output, text: "pruned" },
      { at: answer, text: "said", args: { 0: {} } },
    ]);
    await session.assemble();
    await session.record(says("done"));
    const amended = session.view().log.slice(0, 3);

    await session.amend([{ at: output }, { at: answer }]);
    await session.assemble();
    await session.record(says("done"));

    expect(amended).not.toEqual(recorded);
    expect(session.view().log.slice(0, 3)).toEqual(recorded);
    expect((await openSession(options)).view().log.slice(0, 3)).toEqual(recorded);
    await expectRebuilt(store);
  });

  it("gives up an open request where it changes what is sent, and only there", async () => {
    const { session } = await withSteps();
    const first = await session.assemble();

    await session.amend([{ at: output, text: "output of a" }, { at: prompt }]);
    expect(await session.assemble()).toBe(first);

    await session.amend([{ at: output, text: "pruned" }]);
    await expect(session.record(says("to the old one"))).rejects.toMatchObject({ code: "session/no-request" });
    expect(textOf(await session.assemble())).toContain("pruned");
  });

  it("is what is brought back; the object in the store keeps what the tool gave", async () => {
    const { session, store } = await withSteps();
    await session.amend([{ at: output, text: "without the key" }]);
    await session.assemble();
    await session.record(says("done"));

    expect(await session.recall("a")).toMatchObject({ done: true, object: { text: "without the key" } });
    expect((await session.list({ text: "output of a" })).objects).toEqual([]);
    expect((await store.getMany(["a"])).get("a")?.document?.content).toBe("output of a");
  });

  it("is what a fold leaves and brings back, to the letter", async () => {
    const { session, options } = await withSteps({ layout: layouts.log, rendererFor: shippedRendererFor });
    const secret = "the_secret_word stands on this line and nowhere else";
    await play(session, runs(result("long", `${secret}\n${"a line of it\n".repeat(200)}`)));
    const { at: place = -1 } = session.view().log.findLast(({ kind }) => kind === "result") ?? {};
    await session.amend([{ at: place, text: "a line of it\n".repeat(200) }]);
    for (const name of ["x", "y", "z"]) await play(session, runs(result(name, "ok")));

    const folded = await session.assemble({ cache: "cold" });
    await session.record(says("folded"));
    await session.command({ action: "activate", id: "long" });
    const brought = await session.assemble();
    await session.record(says("brought back"));

    const said = (some: RenderedPrompt) => some.messages.map(({ text }) => text).join("\n");
    expect(said(folded)).toMatch(/\[cm: 200 lines left out; cm_context show t3\]/);
    expect(said(brought)).toMatch(/\[cm: brought back here: output of bash long, 200 lines \(t3\)\]\na line of it\n/);
    expect(said(folded) + said(brought)).not.toContain("the_secret_word");
    expect(snapshot(await openSession(options))).toEqual(snapshot(session));
  });

  it.each(["log", "ssot"] as const)(
    "holds under layout %s once its message left, also in a client that opens a keyframe",
    async (name) => {
      const window = { bytesMax: 20_000 };
      const shipped = { layout: layouts[name], rendererFor: shippedRendererFor, window, keyframeEverySteps: 5 };
      const { session, store, options } = await withSteps(shipped);
      await session.amend([{ at: output, text: "without the key" }]);
      for (let n = 0; n < 40; n += 1) {
        await session.receive([user(`prompt ${n} ${"word ".repeat(150)}`)]);
        await play(session, runs(result(`call_${n}`, "output")));
      }

      const resumed = await openSession(options);

      expect(resumed.view().log[output]).toMatchObject({ kind: "omitted" });
      expect(await resumed.recall("a")).toMatchObject({ done: true, object: { text: "without the key" } });
      expect(snapshot(resumed)).toEqual(snapshot(session));
      await session.command({ action: "activate", id: "a" });
      for (const n of [0, 1, 2, 3, 4, 5, 6]) await play(session, says(`said ${n}`));
      const rebuilt = await all(rebuildPrompts(store, "s", shippedRendererFor));
      expect(textOf(rebuilt.at(-1)?.prompt ?? { messages: [] })).toContain("without the key");
      expect(rebuilt.filter(({ hash, recordedHash }) => hash !== recordedHash)).toEqual([]);
      expect((await session.promptAt(rebuilt.length - 1)).prompt).toEqual(rebuilt.at(-1)?.prompt);
    },
  );

  it("of an output that showed a part of a file is the part that is shown once the file has no text", async () => {
    const source = new MapSource();
    source.files.set("/a", "one\nsecret\n");
    const { session, options } = await withSteps({ sources: [source] });
    const read = result("read", "one\nsecret", { files: [touch("/a", "read", { startLine: 1 })] });
    await play(session, { answer: answering(call("read", "read", { path: at("/a").path })), results: [read] });
    source.files.delete("/a");
    await play(session, says("it is gone"));
    const { at: place = -1 } = session.view().log.findLast(({ kind }) => kind === "result") ?? {};

    await session.amend([{ at: place, text: "one" }]);
    await play(session, says("pruned"));

    const shown = await session.recall("/a");
    expect(shown).toMatchObject({ done: true, object: { text: "one", textless: "deleted" } });
    expect(await (await openSession(options)).recall("/a")).toEqual(shown);
  });

  it("is recorded as what was put in, by places: the step repeats nothing that was there", async () => {
    const { session, store } = await withSteps();
    await session.amend([{ at: output, text: "output, pruned, of a" }]);
    await play(session, says("done"));

    const step = await stepOf(store, 1);

    expect(step.amended).toEqual([{ at: output, edits: [[6, 6, ", pruned,"]] }]);
  });

  it("is redacted before it is stored or sent", async () => {
    const redact = (text: string) => ({
      text: text.replaceAll("hunter2", "***"),
      count: text.split("hunter2").length - 1,
    });
    const { session, store } = await withSteps({ redact });
    await session.amend([
      { at: output, text: "the word is hunter2" },
      { at: answer, args: { 0: { command: "login hunter2" } } },
    ]);
    await play(session, says("done"));

    expect(JSON.stringify([session.view().log, await everythingIn(store, ["s"])])).not.toContain("hunter2");
    expect(session.view().log[output]).toMatchObject({ text: "the word is ***" });
    expect((await stepOf(store, 1)).redactions).toBe(2);
  });

  it("of what is no message changes nothing", async () => {
    const { session } = await withSteps();
    const before = snapshot(session);
    const first = await session.assemble();
    const opened = snapshot(session);

    await session.amend([
      { at: 99, text: "behind the log" },
      { at: -1, text: "before it" },
      { at: answer, args: { 7: { command: "of no call" } } },
      { at: prompt, args: { 0: { command: "of no answer" } } },
    ]);

    expect(await session.assemble()).toBe(first);
    expect(snapshot(session)).toEqual(opened);
    expect(opened.log).toEqual(before.log);
  });

  it("gives an output that was never known no text, and an erased one neither", async () => {
    const { session } = await withSteps();
    await play(session, runs(result("lost", null)));
    const { at: lost = -1 } = session.view().log.findLast(({ kind }) => kind === "result") ?? {};
    await session.erase(["a"], "a leaked key");

    await session.amend([
      { at: lost, text: "invented" },
      { at: output, text: "invented" },
    ]);

    expect([session.view().log[lost], session.view().log[output]]).toMatchObject([{ text: null }, { text: null }]);
    expect(textOf(await session.assemble())).not.toContain("invented");
  });

  it("that no step says yet stands after an erasure", async () => {
    const { session, options } = await withSteps();
    await session.amend([{ at: output, text: "pruned" }]);

    await session.erase(["b"], "a leaked key");
    await play(session, says("done"));

    expect(session.view().log[output]).toMatchObject({ text: "pruned" });
    expect((await openSession(options)).view().log[output]).toMatchObject({ text: "pruned" });
  });
});

describe("amendments that are refused", () => {
  const wrong: readonly (readonly [string, unknown])[] = [
    ["no list", { at: 0, text: "x" }],
    ["no place", [{ text: "x" }]],
    ["half a place", [{ at: 0.5, text: "x" }]],
    ["a text that is none", [{ at: output, text: 7 }]],
    ["arguments that are none", [{ at: answer, args: { 0: "x" } }]],
    ["a good one before a bad one", [{ at: output, text: "x" }, null]],
    ["too many", Array.from({ length: limits.amendmentsMax + 1 }, () => ({ at: output, text: "x" }))],
  ];

  it.each(wrong)("as %s change nothing", async (_what, amendments) => {
    const { session, store } = await withSteps();
    const request = await session.assemble();
    const before = [snapshot(session), await everythingIn(store, ["s"])];

    await expect(session.amend(amendments as readonly Amendment[])).rejects.toMatchObject({
      code: "session/invalid-input",
    });

    expect([snapshot(session), await everythingIn(store, ["s"])]).toEqual(before);
    expect(await session.assemble()).toBe(request);
  });
});

describe("a session whose messages are amended at random", () => {
  it("is rebuilt byte for byte, and resumed as it is", async () => {
    await forSeeds({ short: 10, long: 2_000, file }, async (random, seed) => {
      const { session, store, options } = await withSteps({
        layout: { policy: restlessPolicy(seed), renderer: openLog },
        keyframeEverySteps: 3,
      });
      let amended = 0;
      for (let n = 0; n < 12; n += 1) {
        if (random.chance(0.3)) await session.receive([user(`prompt ${n}`)]);
        if (random.chance(0.2)) await session.assemble();
        const amendments = randomAmendments(random, session.view().log);
        amended += amendments.length;
        await session.amend(amendments);
        if (random.chance(0.3)) await session.command({ action: "activate", id: "a" });
        await play(
          session,
          random.chance(0.5) ? runs(result(`c${n}`, `output ${n}\nof more lines`)) : says(`said ${n}`),
        );
      }

      expect(amended).toBeGreaterThan(0);
      expect(snapshot(await openSession(options))).toEqual(snapshot(session));
      await expectRebuilt(store);
    });
  });
});

function randomAmendments(random: Random, log: readonly LogEntry[]): readonly Amendment[] {
  const texts = ["", "pruned", "output 1\nof lines", "🙂", "🙃 and more"];
  return log.flatMap((entry): readonly Amendment[] => {
    if (random.chance(0.7)) return [];
    const text = random.chance(0.8) ? { text: random.pick(texts) } : {};
    const hasCalls = entry.kind === "assistant" && entry.calls.length > 0;
    const args = hasCalls && random.chance(0.5) ? { args: { 0: { command: random.pick(texts) } } } : {};
    return [{ at: entry.at, ...text, ...args }];
  });
}

/** A prompt, and an answer with the calls `a` and `b`. */
async function withSteps(given: Partial<OpenSessionOptions> = {}) {
  const store = createMemoryStore();
  const options: OpenSessionOptions = {
    ...{ store, rendererFor, session: "s", now: () => 1, tellResumed: false },
    layout: { policy: quietPolicy, renderer: openLog },
    ...given,
  };
  const session = await openSession(options);
  await session.receive([user("prompt 0")]);
  await session.assemble();
  const calls = ["a", "b"].map((id) => call(id, "bash", { command: `cmd ${id}` }));
  const results = [result("a", "output of a"), result("b", "output of b")];
  await session.record({ answer: { ...answering(...calls), text: "said 0" }, results });
  return { session, store, options };
}

async function play(session: Session, record: Parameters<Session["record"]>[0]): Promise<void> {
  await session.assemble();
  await session.record(record);
}

async function expectRebuilt(store: ObjectStore): Promise<void> {
  const rebuilt = await all(rebuildPrompts(store, "s", rendererFor));
  expect(rebuilt.length).toBeGreaterThan(1);
  expect(rebuilt.filter(({ hash, recordedHash, complete }) => hash !== recordedHash || !complete)).toEqual([]);
}

async function stepOf(store: ObjectStore, n: number) {
  const document = (await store.getMany([`step:s:${n}`])).get(`step:s:${n}`)?.document;
  if (document === undefined || !isDocumentOf(document, "step")) throw new Error(`There is no step ${n}.`);
  return document;
}

const textOf = (some: Pick<RenderedPrompt, "messages">): string => JSON.stringify(some.messages);

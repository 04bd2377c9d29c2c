// Verifies: SSOT 2.5, T6 (its redaction point), T10, T18: what comes in is cleaned and bounded before it is stored.
import {
  attachmentBytes,
  createMemoryStore,
  isDocumentOf,
  type JsonObject,
  limits as modelLimits,
} from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { limits, openSession, type Redactor } from "../src/index.ts";
import { MapSource } from "./support/map-source.ts";
import { answering, call, result, runs, says, touch, user } from "./support/messages.ts";
import { quietPolicy } from "./support/policies.ts";
import { openLog } from "./support/renderers.ts";
import { snapshot } from "./support/snapshot.ts";
import { everythingIn } from "./support/stores.ts";

const redact: Redactor = (text) => {
  const parts = text.split("CANARY");
  return { text: parts.join("[secret]"), count: parts.length - 1 };
};

describe("a redactor", () => {
  it("sees every text before it is stored, and its work is counted and hashed", async () => {
    const store = createMemoryStore();
    const source = new MapSource();
    source.files.set("/a", "CANARY in a file, CANARY").set("/b", "CANARY");
    const open = { store, layout: { policy: quietPolicy, renderer: openLog }, redact, sources: [source], session: "s" };
    const session = await openSession({ ...open, systemPrompt: "CANARY" });
    await session.receive([user("CANARY CANARY")]);
    const first = await session.assemble();
    await session.record({
      answer: {
        ...answering(call("c", "CANARY".toLowerCase(), { CANARY: ["CANARY", { deep: "CANARY" }] }), call("late")),
        text: "CANARY",
        thinking: [{ text: "CANARY" }],
      },
      results: [result("c", "CANARY", { files: [touch("/a", "read", { startLine: 1 })] })],
    });
    await session.receive([result("late", "CANARY", { files: [touch("/b", "read", { startLine: 1 })] })]);
    await session.assemble({ systemPrompt: "another CANARY" });
    await session.record(says("done"));

    const stored = [...(await everythingIn(store, ["s"])).values()].join("\n");
    const steps = await store.getMany(["step:s:0", "step:s:1"]);
    const rebuilt = await session.promptAt(1);

    expect(stored).not.toContain("CANARY");
    expect(JSON.stringify(first)).not.toContain("CANARY");
    expect([...steps.values()].map(({ document }) => document?.redactions)).toEqual([1 + 2 + 3 + 2 + 1 + 2, 1 + 1 + 1]);
    expect([rebuilt.hash, rebuilt.complete]).toEqual([rebuilt.recordedHash, true]);
  });

  it("leaves signed reasoning to the letter, since the provider checks it", async () => {
    const session = await openSession({
      store: createMemoryStore(),
      layout: { policy: quietPolicy, renderer: openLog },
      redact,
    });
    const thinking = [{ text: "CANARY", signature: "sig" }, { text: "CANARY", redacted: true }, { text: "CANARY" }];
    await session.assemble();

    await session.record({ answer: { role: "assistant", text: "", thinking } });

    const [entry] = session.view().log;
    expect(entry).toMatchObject({ thinking: [{ text: "CANARY" }, { text: "CANARY" }, { text: "[secret]" }] });
  });

  it("does not make the same system prompt a new one each time", async () => {
    const store = createMemoryStore();
    const session = await openSession({
      store,
      layout: { policy: quietPolicy, renderer: openLog },
      redact,
      session: "s",
    });
    for (let n = 0; n < 3; n += 1) {
      const first = await session.assemble({ systemPrompt: "CANARY" });
      expect(await session.assemble({ systemPrompt: "CANARY" })).toBe(first);
      await session.record(says(""));
    }

    expect((await store.history("system_prompt:s")).versions).toHaveLength(2);
  });

  it("may cut text where it should not: it is mended after", async () => {
    const cutting: Redactor = (text) => ({ text: text.slice(0, 1), count: 1 });
    const session = await openSession({
      store: createMemoryStore(),
      layout: { policy: quietPolicy, renderer: openLog },
      redact: cutting,
    });
    await session.receive([user("😀")]);
    await session.assemble();

    await session.record(says("done"));

    expect(session.view().log[0]).toMatchObject({ text: "\ufffd" });
  });

  it("does not work on a file that has not changed", async () => {
    const store = createMemoryStore();
    const source = new MapSource();
    source.files.set("/a", "in a file");
    let works = 0;
    const counting: Redactor = (text) => {
      if (text === "in a file") works += 1;
      return { text, count: 0 };
    };
    for (let life = 0; life < 3; life += 1) {
      const open = { store, layout: { policy: quietPolicy, renderer: openLog }, redact: counting, sources: [source] };
      const session = await openSession({ ...open, session: "s" });
      await session.assemble();
      await session.record(runs(result(`c${life}`, "", { files: [touch("/a", "read")] })));
    }

    const [first, ...later] = source.answers;
    expect([works, first, new Set(later)]).toEqual([1, "present", new Set(["unchanged"])]);
  });

  it("sees a value of the arguments together with its name, and what it does to the name alone is not taken", async () => {
    const byName: Redactor = (text) => {
      const redacted = text.replace(/^password: .+/, "password: [gone]").replace(/^odd: .+/, "[all gone]");
      return { text: redacted, count: redacted === text ? 0 : 1 };
    };
    const store = createMemoryStore();
    const session = await openSession({
      store,
      layout: { policy: quietPolicy, renderer: openLog },
      redact: byName,
      session: "s",
    });
    await session.assemble();

    const args = { password: "hunter2", deep: { password: "hunter3" }, odd: "kept", long: "x".repeat(5_000) };
    await session.record({
      answer: answering(call("c", "login", args)),
      results: [result("c", "ok")],
    });

    const document = (await store.getMany(["c"])).get("c")?.document;
    expect(document?.args).toEqual({ ...args, password: "[gone]", deep: { password: "[gone]" } });
    expect((await store.getMany(["step:s:0"])).get("step:s:0")?.document?.redactions).toBe(2);
  });

  it("that throws leaves the session as it was", async () => {
    const broken: Redactor = (text) => {
      if (text.includes("bad")) throw new Error("broken");
      return { text, count: 0 };
    };
    const session = await openSession({
      store: createMemoryStore(),
      layout: { policy: quietPolicy, renderer: openLog },
      redact: broken,
    });
    await session.assemble();
    const before = snapshot(session);

    await expect(session.record(runs(result("c", "bad")))).rejects.toThrow("broken");
    await expect(session.receive([user("good"), user("bad")])).rejects.toThrow("broken");

    expect(snapshot(session)).toEqual(before);
    expect((await session.record(runs(result("c", "good")))).n).toBe(0);
  });
});

describe("text that UTF-8 cannot carry", () => {
  it("is mended wherever it stands", async () => {
    const lone = "a\ud800b";
    const store = createMemoryStore();
    const session = await openSession({
      store,
      layout: { policy: quietPolicy, renderer: openLog },
      systemPrompt: lone,
      session: "s",
    });
    await session.receive([user(lone)]);
    await session.assemble();
    await session.record({
      answer: {
        role: "assistant",
        text: lone,
        calls: [call(lone, lone, { [lone]: [lone] })],
        thinking: [{ text: lone, signature: lone }],
        model: lone,
        stopReason: lone,
      },
      results: [result(lone, lone)],
    });
    await session.assemble();
    await session.record(says("done"));

    const rebuilt = await session.promptAt(1);

    expect(JSON.stringify(rebuilt.prompt)).not.toContain("\\ud800");
    expect(rebuilt.hash).toBe(rebuilt.recordedHash);
    expect(session.wrapper().session_index).toEqual(["a\ufffdb"]);
  });
});

describe("attachments", () => {
  it("are stored once and come back byte for byte", async () => {
    const store = createMemoryStore();
    const session = await openSession({ store, layout: { policy: quietPolicy, renderer: openLog }, session: "s" });
    const image = { mime: "image/png", data: new Uint8Array([0, 255, 13, 10]) };
    await session.receive([
      { ...user("look"), attachments: [image, image] },
      result("late", "", { attachments: [image] }),
    ]);
    await session.assemble();
    await session.record(runs(result("c", "", { attachments: [image] })));

    const { versions } = await store.find({ type: "attachment" }, { documents: true });

    const [document] = versions.flatMap((version) => version.document ?? []);
    if (document === undefined || !isDocumentOf(document, "attachment")) throw new Error("There is no attachment.");
    expect(versions).toHaveLength(1);
    expect(attachmentBytes(document)).toEqual(Buffer.from(image.data));
    const [ref] = session.view().log.flatMap((entry) => (entry.kind === "user" ? entry.attachments : []));
    expect([document["xt/id"], ref?.bytes]).toEqual([`attachment:${ref?.sha256}`, 4]);
  });
});

describe("bounds", () => {
  const many = <T>(length: number, make: (place: number) => T): T[] =>
    Array.from({ length }, (_, place) => make(place));
  const touches = (length: number) => many(length, (place) => touch(`/${place}`, "discovered"));
  const attachments = (length: number, from = 0) =>
    many(length, (place) => ({ mime: "x", data: Buffer.from(`${from + place}`) }));

  it.each([
    ["messagesMax", many(limits.messagesMax + 1, () => user(""))],
    ["incomingCharsMax", [user("x".repeat(limits.incomingCharsMax))]],
    ["incomingCharsMax", [user("\u0001".repeat(limits.incomingCharsMax / 6))]],
    ["callsMax", many(limits.callsMax + 1, (place) => result(`${place}`, ""))],
    ["touchesPerCallMax", [result("c", "", { files: touches(limits.touchesPerCallMax + 1) })]],
    ["touchesPerStepMax", many(6, (place) => result(`${place}`, "", { files: touches(1_000) }))],
    ["attachmentsPerStepMax", [{ ...user(""), attachments: attachments(limits.attachmentsPerStepMax + 1) }]],
  ] as const)("of received messages are named when they are passed: %s", async (limit, messages) => {
    const session = await openSession({
      store: createMemoryStore(),
      layout: { policy: quietPolicy, renderer: openLog },
    });
    const before = snapshot(session);

    const refused = session.receive(messages);

    await expect(refused).rejects.toMatchObject({
      code: "session/invalid-input",
      data: { limit, bound: limits[limit] },
    });
    expect(snapshot(session)).toEqual(before);
  });

  it.each([
    ["callsMax", { answer: answering(...many(limits.callsMax + 1, (place) => call(`${place}`))) }],
    ["callsMax", { ...says(""), results: many(limits.callsMax + 1, (place) => result(`${place}`, "")) }],
    ["touchesPerStepMax", runs(...many(6, (place) => result(`${place}`, "", { files: touches(1_000) })))],
    ["attachmentsPerStepMax", runs(result("c", "", { attachments: attachments(limits.attachmentsPerStepMax + 1) }))],
  ] as const)("of a record are named when they are passed: %s", async (limit, record) => {
    const session = await openSession({
      store: createMemoryStore(),
      layout: { policy: quietPolicy, renderer: openLog },
    });
    await session.assemble();
    const before = snapshot(session);

    const refused = session.record(record);

    await expect(refused).rejects.toMatchObject({ code: "session/invalid-input", data: { limit } });
    expect(snapshot(session)).toEqual(before);
    expect((await session.record(says("shorter"))).n).toBe(0);
  });

  it("count over all that is received before one request", async () => {
    const session = await openSession({
      store: createMemoryStore(),
      layout: { policy: quietPolicy, renderer: openLog },
    });
    const half = user("x".repeat(limits.incomingCharsMax / 2));
    await session.receive([half]);

    await expect(session.receive([half])).rejects.toMatchObject({ data: { limit: "incomingCharsMax" } });
    await session.assemble();
    await session.record(says("read"));
    await session.receive([half]);

    expect(session.view().log).toHaveLength(3);
  });

  it("let a step have what they allow", async () => {
    const session = await openSession({
      store: createMemoryStore(),
      layout: { policy: quietPolicy, renderer: openLog },
    });
    await session.receive([{ ...user("x".repeat(limits.incomingCharsMax - 66)), attachments: attachments(500) }]);
    await session.assemble();

    const record = {
      answer: answering(...many(limits.callsMax, (place) => call(`${place}`))),
      results: many(limits.callsMax, (place) =>
        result(
          `${place}`,
          "",
          place < 5 ? { files: touches(1_000), attachments: attachments(100, 500 + place * 100) } : {},
        ),
      ),
    };

    expect((await session.record(record)).n).toBe(0);
    expect((await session.promptAt(0)).complete).toBe(true);
  });

  it("of the store's own documents are errors that leave the session as it was", async () => {
    const session = await openSession({
      store: createMemoryStore(),
      layout: { policy: quietPolicy, renderer: openLog },
    });
    await session.assemble();
    const before = snapshot(session);

    const tooLong = session.record(says("x".repeat(modelLimits.payloadBytesMax + 1)));

    await expect(tooLong).rejects.toMatchObject({ code: "model/limit", data: { limit: "payloadBytesMax" } });
    expect(snapshot(session)).toEqual(before);
    expect((await session.record(runs(result("c", "shorter")))).n).toBe(0);
  });

  it("let arguments through that no document holds: what is too deep, or no finite number, is kept as text", async () => {
    const session = await openSession({
      store: createMemoryStore(),
      layout: { policy: quietPolicy, renderer: openLog },
      session: "s",
    });
    const nested = (depth: number): JsonObject => JSON.parse(`${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`);
    const deepest = limits.argsDepthMax + 1;
    const odd = [nested(deepest), nested(deepest + 2), nested(100_000), JSON.parse('{"a":[1e400,-1e400,1]}')];
    await session.assemble();
    // Of a call without a result, the step itself holds the arguments.
    await session.record({
      answer: answering(...odd.map((args, place) => call(`${place}`, "t", args))),
      results: [result("0", ""), result("1", "")],
    });

    const { messages } = await session.assemble();

    const inmost = (args: unknown) => {
      let value = args as { readonly a?: unknown };
      while (typeof value === "object" && "a" in value) value = value.a as typeof value;
      return value;
    };
    const kept = messages[0]?.calls?.map(({ args }) => inmost(args));
    expect(kept).toEqual([1, '{"a":{"a":1}}', "[nested too deeply to be kept]", ["Infinity", "-Infinity", 1]]);
    expect((await session.record(says("done"))).n).toBe(1);
  });

  it("let many calls with many arguments stand in one answer", async () => {
    const session = await openSession({
      store: createMemoryStore(),
      layout: { policy: quietPolicy, renderer: openLog },
    });
    const args = { list: many(300_000, () => 0) };
    await session.assemble();
    await session.record({
      answer: answering(call("a", "t", args), call("b", "t", args)),
      results: [result("a", ""), result("b", "")],
    });

    await session.assemble();

    expect((await session.record(says("done"))).n).toBe(1);
  });
});

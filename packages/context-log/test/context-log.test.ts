import { type DocumentOf, type StepMessage, sha256 } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import type { LogTable } from "../src/index.ts";
import { ContextLog, type LogEvent, type StepObjects, viewOf } from "../src/state.ts";

const nothing = { answered: [], amended: [], omitted: [], forms: [], sets: [] };
const output = "x".repeat(100);

describe("a log", () => {
  it("says which entries came and which sets changed", () => {
    const log = new ContextLog("s", 0);

    const said = log.apply(user("Hello"));
    const ran = log.apply(called());

    expect(said).toEqual({ ...nothing, entries: { from: 0, to: 1 }, sets: [{}] });
    expect(ran).toEqual({ ...nothing, entries: { from: 1, to: 2 }, sets: [{ index: { added: ["call_1"] } }] });
    expect(log.state.log.map(({ kind }) => kind)).toEqual(["user", "result"]);
    expect([...log.state.sets.index]).toEqual(["call_1"]);
    expect(log.state.objects.get("call_1")).toMatchObject({ alias: "t1", text: output });
  });

  it("says which entries others amended, and has another index then", () => {
    const log = new ContextLog("s", 0);
    log.apply(user("My key is 123."));
    const before = viewOf(log.state, "warm");
    const known = before.index.table(texts, before).length;

    const changes = log.apply({ event: "amended", amended: [{ at: 0, edits: [[10, 13, "***"]] }] });
    const after = viewOf(log.state, "warm");

    expect(changes).toEqual({ ...nothing, entries: { from: 1, to: 1 }, amended: [0] });
    expect(known).toBe(1);
    expect(after.index).not.toBe(before.index);
    expect(after.index.table(texts, after)).toEqual(["My key is ***."]);
  });

  it("gives a call the object of a result that comes late", () => {
    const log = new ContextLog("s", 0);
    log.apply(received({ role: "assistant", text: "", calls: [asked] }));
    const view = viewOf(log.state, "warm");
    view.index.table(forms, view);

    const came = log.apply(called());
    const told = view.index.table(forms, view);

    expect(came).toMatchObject({ entries: { from: 1, to: 2 }, answered: ["0.0"] });
    expect(told).toEqual(["0.0"]);
    expect(log.state.log[0]).toMatchObject({ calls: [{ object: "call_1", args: { content: output } }] });
    expect(log.state.openCalls.all.size).toBe(0);
  });

  it("gives a call of an erased answer no object, which would bring its arguments back", () => {
    const log = new ContextLog("s", 0);
    const erased = { texts: [{ message: 0, part: "text" }], chain_hash: "0".repeat(64) };
    log.apply(finished(0, {}, { messages: [{ role: "assistant", text: null, calls: [asked] }], replaces: erased }));

    const came = log.apply(called());

    expect(came).toMatchObject({ entries: { from: 1, to: 2 }, answered: [] });
    expect(log.state.log[0]).toMatchObject({ calls: [{ callId: "call_1", object: undefined }] });
  });

  it("says what a written step folded and left out, and feeds its index", () => {
    const log = new ContextLog("s", 0);
    log.apply(user("First"));
    log.apply(finished(0, {}));
    log.apply(called());
    const view = viewOf(log.state, "warm");
    view.index.table(forms, view);

    const folded = log.apply(finished(1, { forms: { "2": { form: "reference" } } }));
    const told = viewOf(log.state, "warm").index.table(forms, viewOf(log.state, "warm"));
    const left = log.apply(finished(2, { omit: [[0, 2]] }));

    expect(folded).toMatchObject({ entries: { from: 3, to: 4 }, forms: ["2"], omitted: [] });
    expect(told).toEqual(["2"]);
    expect(left).toMatchObject({ entries: { from: 4, to: 5 }, forms: [], omitted: [[0, 2]] });
    expect(log.state.log.map(({ kind }) => kind)).toEqual(["omitted", "omitted", "result", "assistant", "assistant"]);
    expect(log.state.depth).toBe(3);
  });

  it("goes on in a fork and over an erased step with the chain of its path", () => {
    const log = new ContextLog("s", 0);
    log.apply(finished(0, {}));
    const { chain } = log.state;
    const erased = { event: "erased", address: { session: "s", n: 1 }, contentHash: "0".repeat(64) } as const;

    const changes = log.apply(erased);
    log.apply({ event: "forked", session: "s~a" });
    const forked = log.state.chain;
    log.apply({ event: "forked", session: "s" });

    expect(changes).toEqual({ ...nothing, entries: { from: 1, to: 2 } });
    expect(log.state).toMatchObject({ session: "s", complete: false, gapAt: 1, depth: 2 });
    expect(new Set([chain, forked, log.state.chain]).size).toBe(3);
  });

  it("is left alone by its copy", () => {
    const log = new ContextLog("s", 0);
    log.apply(user("Hello"));

    const copy = ContextLog.copyOf(log.state);
    copy.apply(called());

    expect(copy.state.log).toHaveLength(2);
    expect(log.state.log).toHaveLength(1);
    expect([...log.state.sets.index, ...log.state.objects.keys()]).toEqual([]);
  });
});

const texts: LogTable<(string | null)[]> = {
  name: "texts",
  create: () => [],
  update: (facts, { log }, { from, to }) => {
    for (const entry of log.slice(from, to)) facts.push("text" in entry ? entry.text : null);
  },
};

const forms: LogTable<string[]> = {
  name: "forms",
  create: () => [],
  update: (facts, _view, { parts }) => void facts.push(...parts),
};

const none: StepObjects = { toolcall: () => undefined, file: () => undefined };

const user = (text: string): LogEvent => received({ role: "user", text });

const received = (message: StepMessage): LogEvent => ({
  event: "received",
  messages: [message],
  changes: {},
  objects: none,
});

const asked = { call_id: "call_1", tool: "write", args: { content: output } };

function called(): LogEvent {
  const document = {
    ...{ "xt/id": "call_1", type: "toolcall", tool: "read", args: {}, status: "ok", content: output },
    file_refs: [],
  } as unknown as DocumentOf<"toolcall">;
  return {
    event: "received",
    messages: [{ role: "tool", call_id: "call_1", object: "call_1" }],
    changes: { index: { added: ["call_1"] } },
    objects: { ...none, toolcall: () => document },
  };
}

function finished(n: number, decision: object, more: object = {}): LogEvent {
  const step = {
    ...{ "xt/id": `step:s:${n}`, type: "step", content_hash: sha256(`${n}`), session_ref: "session:s", n, turn: 0 },
    ...{ messages: [{ role: "assistant", text: "Done." }], changes: {}, decision, layout: "any/1", cache: "warm" },
    ...{ prompt_chars: 100, kept_chars: 0, recorded_at: 0, ...more },
  } as unknown as DocumentOf<"step">;
  return { event: "finished", step, objects: none, prices: { read: 0.1, write: 1.25 } };
}

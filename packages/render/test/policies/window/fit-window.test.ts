// Verifies: SSOT 4.4 (10), T19: what gives way to a window, and in which order.
import { argsPart, type ContextView, indexedView, messageBytes, type PromptDecision } from "@cm/context-log";
import { canonicalJson } from "@cm/object-model";
import { parse } from "@cm/prompt-grammar";
import { describe, expect, it } from "vitest";
import { logLayout } from "../../../src/index.ts";
import { fitWindow } from "../../../src/policies/window/fit-window.ts";
import { lines, Script } from "../../support/script.ts";

const long = "x".repeat(10_000);

describe("a prompt that fits", () => {
  it("is left as the policy decided", () => {
    const script = new Script();
    script.read("a.ts", long);
    const decision: PromptDecision = { forms: { "2": { form: "sparse" } } };

    expect(fitWindow(windowed(script, 20_000), decision)).toBe(decision);
    expect(fitWindow(script.session.view(), decision)).toBe(decision);
  });
});

describe("a prompt with a smaller bound", () => {
  it("folds what was touched longest ago, and takes no pin, no new output and no dialogue for it", () => {
    const script = new Script();
    script.say(long);
    const [pinned] = ["a.ts", "b.ts", "c.ts"].map((path) => script.read(path, long));
    script.session.pinned.add(pinned ?? "");
    script.idle(2);
    script.read("d.ts", long);
    const view = script.session.view();

    const some = fitWindow({ ...view, foldToBytes: 45_000 }, {});
    const all = fitWindow({ ...view, foldToBytes: 0, window: { bytesMax: 60_000 } }, {});

    expect(some.reasons).toEqual({ "window: least recently touched": ["5"] });
    expect(all.reasons).toEqual({ "window: least recently touched": ["5", "7"] });
    expect(fitWindow({ ...view, foldToBytes: 60_000 }, {})).toEqual({});
  });
});

describe("a prompt that is too heavy", () => {
  it("loses expired parts first, and all of them", () => {
    const script = new Script();
    for (const path of ["a.ts", "b.ts", "c.ts"]) script.read(path, long);
    script.idle(2);

    const decision = fitWindow(windowed(script, 25_000), {}, new Set(["4", "6"]));

    expect(decision.fold).toEqual({ cut: 4, reason: "window" });
    expect(decision.reasons).toEqual({ "window: expired": ["4", "6"] });
  });

  it("loses what was touched longest ago next, down to its low mark", () => {
    const script = new Script();
    for (const path of ["a.ts", "b.ts", "c.ts"]) script.read(path, long);
    script.call("edit", { path: "a.ts", oldText: "x", newText: "y" }, "done");
    script.idle(2);

    const decision = fitWindow(windowed(script, 25_000), {});

    expect(decision.reasons).toEqual({ "window: least recently touched": ["4"] });
    expect(weightOf(windowed(script, 25_000), decision)).toBeLessThan(0.85 * 25_000);
  });

  it("refuses to bring back what was not asked for, and brings back the ends of what was", () => {
    const script = new Script();
    const [asked, missed] = [script.read("a.ts", long), script.read("b.ts", long)];
    script.idle(2);
    script.session.requested.add(asked);
    const folded = { "2": { form: "reference" }, "4": { form: "reference" } } as const;

    const into = script.session.log.findLastIndex(({ kind }) => kind === "result");
    const recall = [asked, missed].map((object) => ({ object, into }));
    const decision = fitWindow(windowed(script, 6_000), { forms: folded, recall });

    const at = script.session.log.length;
    expect(decision.recall).toEqual([{ object: asked, into }]);
    expect(decision.reasons).toEqual({ "window: recall refused": [missed], "window: newest output cut": [`${at}`] });
    expect(weightOf(windowed(script, 6_000), decision)).toBeGreaterThan(5_500);
  });

  it("lets references go without names before anything that is new", () => {
    const script = new Script();
    script.read("a.ts", long);
    script.idle(2);
    const forms = { "2": { form: "reference", names: [[0, 400]] } } as const;
    const decision = fitWindow(windowed(script, 400), { forms });

    expect(decision).toMatchObject({ forms: { "2": { form: "reference" } }, fold: { cut: 2 } });
    expect(Object.keys(decision.reasons ?? {})).toEqual(["window: names left out"]);
  });

  it("cuts the largest of the newest outputs to its ends, and leaves the smaller ones whole", () => {
    const script = new Script();
    script.idle(1);
    script.session.request();
    const calls = ["a", "b", "c"].map((callId) => ({ callId, tool: "bash", args: { command: callId } }));
    script.session.add({ kind: "assistant", text: "", calls });
    for (const [place, { callId }] of calls.entries())
      script.session.add({ kind: "result", callId, text: "日本語\n".repeat(1_000 * place + 100) });

    const view = windowed(script, 12_000);
    const decision = fitWindow(view, {});

    expect(decision.reasons).toEqual({ "window: newest output cut": ["6", "5"] });
    expect(decision.fold).toBeUndefined();
    expect(weightOf(view, decision)).toBeLessThanOrEqual(12_000);
    expect(weightOf(view, decision)).toBeGreaterThan(11_000);
    const blocks = parse(logLayout.render(view, decision));
    expect(blocks.at(-1)).toMatchObject({ notice: { kind: "cut" }, text: expect.stringMatching(/日本語\n$/) });
  });

  it("keeps what a pinned repeat points at, though the repeat itself could not become lighter", () => {
    const script = new Script();
    const [, , repeat] = ["a", "b", "a"].map((command) => script.call("bash", { command }, long));
    script.idle(2);
    script.session.pinned.add(repeat ?? "");
    const view: ContextView = indexedView({
      ...windowed(script, 15_000),
      forms: new Map([["6", { form: "same", as: "2" }]]),
    });

    const decision = fitWindow(view, {});

    expect(decision.reasons).toEqual({ "window: least recently touched": ["4"] });
    expect(weightOf(view, decision)).toBeLessThanOrEqual(15_000);
  });

  it("keeps arguments of an earlier turn to which one of the newest outputs points", () => {
    const script = new Script();
    script.call("write", { path: "a.ts", content: lines(60) }, "ok");
    script.call("bash", { command: "b" }, long);
    script.say("Next.");
    const view = pointingAtWritten(script, 9_000);

    const decision = fitWindow(view, {});

    expect(decision.reasons).toEqual({ "window: newest output cut": ["4"] });
    expect(weightOf(view, decision)).toBeLessThanOrEqual(9_000);
  });

  it("keeps them also where the oldest answers are cut, with the arguments of their calls", () => {
    const script = new Script();
    const calls = [{ callId: "w", tool: "write", args: { path: "a.ts", content: lines(60) } }];
    script.session.add({ kind: "assistant", text: long, calls });
    script.session.add({ kind: "result", callId: "w", text: "ok" });
    script.say("Next.");
    const view = pointingAtWritten(script, 8_000);

    const decision = fitWindow(view, {});

    expect(decision.reasons).toEqual({ "window: dialogue compacted": ["1"] });
    expect(weightOf(view, decision)).toBeLessThanOrEqual(8_000);
  });

  it("lets nothing point at the newest arguments where no window has room for them", () => {
    const script = new Script();
    script.call("write", { path: "a.ts", content: lines(60) }, "ok");
    const view = pointingAtWritten(script, 2_000);

    const { forms } = fitWindow(view, {});

    expect(forms).toMatchObject({ [argsPart(1, 0)]: { form: "reference" }, 4: { form: "reference" } });
  });

  it("lets nothing point at a new output of which only the ends stand", () => {
    const script = new Script();
    const [first, again] = [script.read("a.ts", long), script.read("a.ts", long)];
    const pointing = { [at(script, again)]: { form: "same", as: `${at(script, first)}` } } as const;

    const { forms } = fitWindow(windowed(script, 5_000), { forms: pointing });

    expect(forms).toMatchObject({ [at(script, first)]: { form: "spans" }, [at(script, again)]: { form: "reference" } });
  });

  it("takes pins away, the one that was touched longest ago first, only as many as it must", () => {
    const script = new Script();
    const pinned = ["a.ts", "b.ts", "c.ts"].map((path) => script.read(path, long));
    for (const id of pinned) script.session.pinned.add(id);
    script.idle(2);

    const view = windowed(script, 22_000);
    const decision = fitWindow(view, {});

    expect(decision.release).toEqual([pinned[0]]);
    expect(decision.reasons).toEqual({ "window: pin released": [pinned[0], "2"] });
    expect(logLayout.render(view, decision).messages.at(-1)?.text).toBe(
      "a\n[cm: the window is full, so no longer pinned: t1]",
    );
  });

  it("leaves out calls with a short output that is pinned last, and says so", () => {
    const script = new Script();
    const [pinned = ""] = Array.from({ length: 40 }, (_, place) => {
      script.nextTurn();
      return script.call("bash", { command: `run ${place}` }, "ok");
    });
    script.session.pinned.add(pinned);
    script.idle(3);
    const place = at(script, pinned);
    const fitted = (bytesMax: number) => {
      const { omit = [], release } = fitWindow(windowed(script, bytesMax), {});
      return { release, leaves: omit.length, leavesPinned: omit.some(([from, to]) => from <= place && place < to) };
    };

    // Bare calls of earlier turns fill half of the window, then all of it, then more than can leave without it.
    expect(fitted(3_000)).toEqual({ leaves: 31, leavesPinned: false });
    expect(fitted(1_500)).toEqual({ leaves: 31, leavesPinned: false });
    expect(fitted(500)).toEqual({ leaves: 2, leavesPinned: true, release: [pinned] });
  });

  it("leaves out the oldest prompts as a whole, and cuts only what the person says now", () => {
    const script = new Script();
    for (const turn of [1, 2, 3]) {
      script.session.add({ kind: "assistant", text: "Yes." });
      script.say(`${turn}${long}`);
    }
    script.idle(1);

    const { reasons } = fitWindow(windowed(script, 25_000), {});
    const { reasons: harder } = fitWindow(windowed(script, 5_000), {});

    const leftOut = ["1", "3", "5", "0", "2", "4"]; // the answers, then the prompts
    expect(reasons).toEqual({ "window: earlier turns left out": leftOut });
    expect(harder).toEqual({ "window: earlier turns left out": leftOut, "window: dialogue compacted": ["6"] });
  });

  it("leaves out thinking, pictures and arguments of turns that are over, and none of the current one", () => {
    const script = new Script();
    const picture = { sha256: "0".repeat(64), mime: "image/png", bytes: 1 };
    script.session.add({ kind: "user", text: "Look.", attachments: [picture] });
    script.call("bash", { command: long }, "a", { thinking: true });
    script.say("And now?");
    script.call("bash", { command: long }, "b", { thinking: true });

    const view = windowed(script, 12_000);
    const decision = fitWindow(view, {});

    const messages = logLayout.render(view, decision).messages;
    expect(messages[1]).toMatchObject({ text: "Look.\n[cm: 1 attachment left out here]\n" });
    expect(messages[1]?.attachments).toBeUndefined();
    expect(messages[2]?.thinking).toBeUndefined();
    const cut = expect.stringMatching(/^x{30} \[cm: \d+ characters left out; cm_context show t1\.input\]$/);
    expect(messages[2]?.calls).toEqual([{ callId: "c0", tool: "bash", args: { command: cut } }]);
    expect(messages[5]?.thinking).toHaveLength(1);
    expect(messages[5]?.calls?.[0]?.args).toEqual({ command: long });
    expect(decision.reasons).toEqual({ "window: dialogue compacted": ["1", "2", argsPart(2, 0)] });
  });

  it("folds arguments beside thinking of turns that are over, with the thinking, and none of the current one", () => {
    const script = new Script();
    script.call("bash", { command: long }, "a", { thinking: true });
    script.say("And now?");
    script.call("bash", { command: long }, "b", { thinking: true });
    script.idle(4);

    const view = windowed(script, 15_000);
    const decision = fitWindow(view, {});

    const { messages } = logLayout.render(view, decision);
    expect(decision.reasons).toEqual({ "window: least recently touched": [argsPart(1, 0)] });
    expect(messages[1]).not.toHaveProperty("thinking");
    expect(messages[1]?.calls?.[0]).toMatchObject({
      callId: "c0",
      args: { command: expect.stringMatching(/^x{30} /) },
    });
    expect(messages[4]?.thinking).toHaveLength(1);
    expect(messages[4]?.calls?.[0]?.args).toEqual({ command: long });
  });

  it("folds even the newest outputs where there are more of them than their ends have room", () => {
    const script = new Script();
    script.session.request();
    const calls = Array.from({ length: 50 }, (_, place) => ({ callId: `c${place}`, tool: "bash", args: {} }));
    script.session.add({ kind: "assistant", text: "", calls });
    for (const { callId } of calls) script.session.add({ kind: "result", callId, text: long });

    const view = windowed(script, 12_000);
    const decision = fitWindow(view, {});

    expect(weightOf(view, decision)).toBeLessThanOrEqual(12_000);
    expect(Object.keys(decision.reasons ?? {})).toContain("window: newest output folded");
  });

  it.each([
    [
      "a long text",
      { path: "a.ts", content: "x".repeat(200_000) },
      /^\{"content":"x{30} \[cm: 199970 characters left out; cm_context show t4\.input\]","path":"a\.ts"\}$/,
    ],
    [
      "many short texts",
      { items: lines(5_000).split("\n") },
      /^\{"arguments":"\{\\"items\\":\[\\"line number 0 of a {2}\[cm: \d+ characters left out; cm_context show t4\.input\]"\}$/,
    ],
  ])("cuts %s that the newest call asks for and no window has room for, and nothing else for it", (_, args, wanted) => {
    const script = new Script();
    for (const path of ["a.ts", "b.ts", "c.ts"]) script.read(path, long);
    script.call("write", args, "done", { thinking: true });

    const view = windowed(script, 50_000);
    const decision = fitWindow(view, {});

    const { messages } = logLayout.render(view, decision);
    const answer = messages.at(-2);
    expect(canonicalJson(answer?.calls?.[0]?.args)).toMatch(wanted);
    expect(answer).not.toHaveProperty("thinking");
    expect(messages.filter(({ text }) => text === long)).toHaveLength(3);
    expect(decision).not.toHaveProperty("omit");
    expect(decision.fold).toBeUndefined();
  });

  it.each([
    ["thinking", "", [{ text: "y".repeat(200_000), signature: "s" }]],
    ["an answer", "y".repeat(200_000), [{ text: "Hm.", signature: "s" }]],
  ])("cuts %s of the newest call that no window has room for", (_, text, thinking) => {
    const script = new Script();
    script.read("a.ts", long);
    script.session.request();
    script.session.add({ kind: "assistant", text, thinking, calls: [{ callId: "n", tool: "bash", args: {} }] });
    script.session.add({ kind: "result", callId: "n", text: "done" });

    const view = windowed(script, 20_000);
    const decision = fitWindow(view, {});

    expect(weightOf(view, decision)).toBeLessThan(12_000);
    expect(decision.reasons).toEqual({ "window: dialogue compacted": ["3"] });
    expect(decision.fold).toBeUndefined();
  });

  it("cuts what calls ask for before any word of a prompt that fits alone", () => {
    const script = new Script();
    const said = "z".repeat(15_000);
    script.say(said);
    script.call("write", { path: "a.ts", content: "x".repeat(8_000) }, long);

    const view = windowed(script, 20_000);
    const decision = fitWindow(view, {});

    expect(weightOf(view, decision)).toBeLessThanOrEqual(20_000);
    expect(logLayout.render(view, decision).messages).toContainEqual(expect.objectContaining({ text: said }));
  });

  it("keeps what something points at as long as that stays", () => {
    const script = new Script();
    script.read("a.ts", lines(300));
    script.read("b.ts", lines(300, "other"));
    script.idle(3);
    const again = script.read("a.ts", lines(300));

    const { forms, reasons } = fitWindow(windowed(script, 15_000), { forms: { [at(script, again)]: sameAsFirst } });

    expect(forms?.["2"]).toBeUndefined();
    expect(reasons).toEqual({ "window: least recently touched": ["4"] });
  });
});

const sameAsFirst = { form: "same", as: "2" } as const;

const at = ({ session }: Script, callId: string): number =>
  session.log.findIndex((entry) => entry.kind === "result" && entry.callId === callId);

/** After one more call, whose output is the text that the first call wrote, and points at that. */
function pointingAtWritten(script: Script, bytesMax: number): ContextView {
  const { log } = script.session;
  const written = log.findIndex((entry) => entry.kind === "assistant" && entry.calls.length > 0);
  script.call("bash", { command: "c" }, lines(60));
  const runs = [{ line: 0, count: 60, in: argsPart(written, 0), from: 0 }];
  return indexedView({
    ...windowed(script, bytesMax),
    forms: new Map([[`${script.session.log.length - 1}`, { form: "pointer", runs }]]),
  });
}

function windowed(script: Script, bytesMax: number): ContextView {
  return { ...script.session.view(), window: { bytesMax } };
}

function weightOf(view: ContextView, decision: PromptDecision): number {
  return logLayout.render(view, decision).messages.reduce((sum, message) => sum + messageBytes(message), 0);
}

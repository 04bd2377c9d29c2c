// Verifies: SSOT 4.4 (10), T19: layouts that show the active set keep to a window by what leaves it.
import { defaultPrices, messageBytes, placeOfPart, type RenderedPrompt, viewAfterOmission } from "@cm/context-log";
import { parse } from "@cm/prompt-grammar";
import { forSeeds, RecordedSession } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { layouts, ssotAliasLayout } from "../../../src/index.ts";
import { adversarialStep, adversarialWishes } from "./adversary.ts";

const file = "test/policies/window/fit-active.test.ts";

describe.each([layouts.ssot, { ...layouts.ssot, renderer: ssotAliasLayout }])(
  "a window under layout $renderer.layout",
  ({ policy, renderer }) => {
    it("is never exceeded, and what leaves the active set is listed", async () => {
      await forSeeds({ short: 10, long: 500, file }, async (random) => {
        const bytesMax = 30_000 + random.below(60_000);
        const session = new RecordedSession({ policy, renderer, window: { bytesMax } });
        session.add({ kind: "user", text: "Begin." });

        for (let step = 0; step < 10; step += 1) {
          adversarialWishes(random, session);
          const { window: _window, ...free } = session.view();
          const wanted = policy.decide(free, defaultPrices).deactivate ?? [];
          const { view, decision, prompt } = session.request();
          const { deactivate = [], release = [], reasons = {} } = decision;

          expect(bytesOf(prompt)).toBeLessThanOrEqual(bytesMax);
          const { log } = viewAfterOmission(view, decision).view;
          const formed = Object.keys(decision.forms ?? {}).map((part) => log[placeOfPart(part)]?.kind);
          expect(["user", "assistant"]).toEqual(expect.arrayContaining(formed));
          const {
            "window: earlier turns left out": _left,
            "window: dialogue compacted": cut,
            ...activeReasons
          } = reasons;
          expect(Object.keys(decision.forms ?? {})).toEqual(expect.arrayContaining([...(cut ?? [])]));
          const listed = Object.values(activeReasons).flat().sort();
          expect(deactivate.filter((id) => !wanted.includes(id))).toEqual(listed);
          expect(release.filter((id) => session.pinned.has(id))).toEqual([]);
          for (const event of adversarialStep(random, step, bytesMax / 3)) session.add(event);
        }
      });
    });
  },
);

const bytesOf = ({ messages }: RenderedPrompt): number =>
  messages.reduce((sum, message) => sum + messageBytes(message), 0);

describe("a wish for less under layout ssot", () => {
  it("takes what is neither new nor pinned", () => {
    const session = new RecordedSession(layouts.ssot);
    session.add({ kind: "user", text: "Begin." });
    for (const callId of ["a", "b", "c", "d", "e"]) {
      if (callId === "c") session.pinned.add("a");
      session.request();
      session.add({ kind: "assistant", text: "", calls: [{ callId, tool: "bash", args: {} }] });
      session.add({ kind: "result", callId, text: callId.repeat(5_000) });
    }
    const view = session.view();

    const { policy } = layouts.ssot;

    expect(policy.decide({ ...view, foldToBytes: 22_000 }, defaultPrices).deactivate).toEqual(["b"]);
    expect(policy.decide({ ...view, foldToBytes: 0 }, defaultPrices).deactivate).toEqual(["b", "c"]);
    expect(policy.decide(view, defaultPrices).deactivate).toBeUndefined();
  });
});

describe("a window under layout ssot", () => {
  it("lets go of what was touched longest ago, and of pins last, with a notice", () => {
    const session = new RecordedSession({ ...layouts.ssot, window: { bytesMax: 21_000 } });
    session.add({ kind: "user", text: "Begin." });
    for (const callId of ["a", "b", "c", "d", "e"]) {
      if (callId === "c") session.pinned.add("a").add("b");
      session.request();
      session.add({ kind: "assistant", text: "", calls: [{ callId, tool: "bash", args: {} }] });
      session.add({ kind: "result", callId, text: callId.repeat(5_000) });
    }

    const { decision: first } = session.request();
    session.pinned.add("c").add("d").add("e");
    session.active.add("c");
    const { decision, prompt } = session.request();

    expect(first).toMatchObject({ deactivate: ["c"], reasons: { "window: least recently touched": ["c"] } });
    expect(decision).toMatchObject({ deactivate: ["a"], release: ["a"], reasons: { "window: pin released": ["a"] } });
    expect(prompt.messages.filter(({ text }) => text === "pins_released\na")).toHaveLength(1);
  });
});

describe("a full window under layout ssot", () => {
  it("lists the newest of the pool within half of it, and the rest by folder", () => {
    const session = withCalls(150, 12_000);

    const { decision, prompt } = session.request();

    const pool = prompt.messages[0]?.text.split("\n") ?? [];
    expect(decision.poolChars).toBeLessThanOrEqual(6_000);
    expect(pool.at(-2)).toBe('id="call 149" type=toolcall tool=bash status=ok');
    expect(pool.at(-1)).toBe(`not_shown count=${152 - pool.length}; cm_context list`);
    expect(prompt.messages.length).toBeGreaterThan(10);
  });

  it("lists nothing before it cuts what the person says", () => {
    const session = withCalls(90, 12_000);
    const said = "z".repeat(9_000);
    session.add({ kind: "user", text: said });

    const { decision, prompt } = session.request();

    expect(decision.poolChars).toBe(0);
    expect(prompt.messages[0]?.text).toBe("not_shown count=91; cm_context list");
    expect(prompt.messages.at(-1)?.text.replace(/^\[cm: left out above, .*\n/, "")).toBe(said);
  });

  it("has a call that no window has room for cut, as long as it stands, and nothing else for it", () => {
    const session = played(20_000);
    session.request();
    const calls = [{ callId: "b", tool: "write", args: { content: "x".repeat(50_000) } }];
    session.add({ kind: "assistant", text: "Written.", calls });
    session.add({ kind: "result", callId: "b", text: "done" });

    const { decision, prompt } = session.request();
    session.add({ kind: "user", text: "And now?" });
    const { decision: next } = session.request();

    const cut = {
      content: expect.stringMatching(/^x{30} \[cm: 49970 characters left out; cm_context show t2\.input\]$/),
    };
    expect(prompt.messages).toContainEqual(expect.objectContaining({ calls: [{ ...calls[0], args: cut }] }));
    expect(prompt.messages.some(({ id }) => id.startsWith("active~a~"))).toBe(true);
    expect(decision).toEqual({
      forms: { "3.0": { form: "reference" } },
      reasons: { "window: dialogue compacted": ["3.0"] },
    });
    expect(next).toEqual({ forms: decision.forms });
  });

  it("keeps a small new output beside one that no window has room for", () => {
    const session = played(20_000);
    session.add({
      kind: "assistant",
      text: "",
      calls: ["small", "huge"].map((callId) => ({ callId, tool: "bash", args: {} })),
    });
    session.add({ kind: "result", callId: "small", text: "s".repeat(300) });
    session.add({ kind: "result", callId: "huge", text: "h".repeat(50_000) });

    const { decision, prompt } = session.request();

    expect(decision.deactivate).toEqual(["huge"]);
    expect(prompt.messages.filter(({ id }) => id.startsWith("active~"))).toHaveLength(2);
  });

  it("cuts a prompt that is too much alone, and lets nothing in it look like a line of ours", () => {
    const session = played(20_000);
    const said = "ACTIVE_CONTENT id=f1\n[cm: it]\n".repeat(2_000);
    session.add({ kind: "user", text: said });

    const { prompt } = session.request();

    const blocks = parse(prompt);
    const cut = blocks.findIndex((block) => block.kind === "notice" && block.notice.kind === "cut");
    const [head = "", tail = ""] = blocks
      .slice(cut - 1, cut + 1)
      .map((block) => ("text" in block ? `${block.text}` : ""));
    expect(head.length + tail.length).toBeGreaterThan(5_000);
    expect([said.startsWith(head), said.endsWith(tail)]).toEqual([true, true]);
    expect(blocks.at(-1)).toMatchObject({ kind: "active", text: "a".repeat(3_000) });
    expect(bytesOf(prompt)).toBeLessThanOrEqual(20_000);
  });
});

/** A session with one call, whose output is active. */
function played(bytesMax: number): RecordedSession {
  const session = new RecordedSession({ ...layouts.ssot, window: { bytesMax } });
  session.add({ kind: "user", text: "Begin." });
  session.request();
  session.add({ kind: "assistant", text: "", calls: [{ callId: "a", tool: "bash", args: {} }] });
  session.add({ kind: "result", callId: "a", text: "a".repeat(3_000) });
  return session;
}

function withCalls(calls: number, bytesMax: number): RecordedSession {
  const session = played(bytesMax);
  for (let call = 0; call < calls; call += 1) {
    session.request();
    session.add({ kind: "assistant", text: "", calls: [{ callId: `call ${call}`, tool: "bash", args: {} }] });
    session.add({ kind: "result", callId: `call ${call}`, text: "done" });
  }
  return session;
}

// Verifies: SSOT 4.4 (10), T19: layouts that show the active set keep to a window by what leaves it.
import { defaultPrices, messageBytes } from "@cm/context-log";
import { forSeeds, RecordedSession } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { layouts, ssotAliasLayout } from "../../../src/index.ts";
import { adversarialStep, adversarialWishes } from "./adversary.ts";

const file = "test/policies/window/fit-active.test.ts";

describe.each([layouts.ssot, { ...layouts.ssot, renderer: ssotAliasLayout }])(
  "a window under layout $renderer.layout",
  ({ policy, renderer }) => {
    it("is exceeded only by what the layout may not leave out", async () => {
      await forSeeds({ short: 10, long: 500, file }, async (random) => {
        const bytesMax = 30_000 + random.below(60_000);
        const session = new RecordedSession({ policy, renderer, window: { bytesMax } });
        session.add({ kind: "user", text: "Begin." });

        for (let step = 0; step < 10; step += 1) {
          adversarialWishes(random, session);
          const { window: _window, ...free } = session.view();
          const wanted = policy.decide(free, defaultPrices).deactivate ?? [];
          const { decision, prompt } = session.request();
          const { deactivate = [], release = [], reasons = {} } = decision;

          const shown = prompt.messages.filter(({ id }) => id.startsWith("active~"));
          const bytes = prompt.messages.reduce((sum, message) => sum + messageBytes(message), 0);
          if (shown.length > 0) expect(bytes).toBeLessThanOrEqual(bytesMax);
          const { "window: earlier turns left out": _left, ...activeReasons } = reasons;
          const listed = Object.values(activeReasons).flat().sort();
          expect(deactivate.filter((id) => !wanted.includes(id))).toEqual(listed);
          expect(release.filter((id) => session.pinned.has(id))).toEqual([]);
          for (const event of adversarialStep(random, step, bytesMax / 3)) session.add(event);
        }
      });
    });
  },
);

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

// Verifies: how each part of a session stood in every request, for the report of what was in view.
import { defaultPrices } from "@cm/context-log";
import { createMemoryStore } from "@cm/object-model";
import type { Recording } from "@cm/recordings";
import { layouts } from "@cm/render";
import { describe, expect, it } from "vitest";
import { generatedContent } from "../../src/generate/generated-content.ts";
import { type ReplayFigures, replayRecording } from "../../src/index.ts";

describe("the parts of a replay", () => {
  it.each(["plain", "log", "ssot"] as const)("sum up to each request under %s", async (policy) => {
    const { calls, parts } = await replayed(policy);

    for (const { call, sentChars, resident } of calls) {
      const inView = parts.map(({ forms }) => forms.findLast((stand) => stand.call <= call)?.chars ?? 0);
      const sum = inView.reduce((total, chars) => total + chars, 0);
      // What is recalled is a part of the log itself; active content only under `ssot` beside it.
      const beside = policy === "ssot" ? resident.pool + resident.active : resident.pool;
      expect(sum + beside).toBe(sentChars - 16_000);
    }
  });

  it("have what was brought back apart from the result that it stands in", async () => {
    const content = generatedContent({ seed: 2, calls: 60, lines: 300 });
    const recording: Recording = { ...content, format: "pi", id: "parts", skippedLines: 0 };
    const store = createMemoryStore();
    const figures = { store, layout: layouts.log, session: "parts", prices: defaultPrices };
    const { calls, parts } = await replayRecording(recording, figures);

    const recalled = parts.filter(({ kind }) => kind === "recalled");
    expect(recalled.length).toBeGreaterThan(0);
    expect(recalled).toHaveLength(calls.flatMap(({ recalled: names = [] }) => names).length);
    for (const { forms } of recalled) expect(forms[0]).toMatchObject({ form: "recalled", reason: expect.any(String) });
    for (const { forms, chars } of recalled) expect(forms[0]?.chars).toBeGreaterThan(chars);
  });

  it("stand in full for ever in the plain log, each from the first request that has it", async () => {
    const { parts } = await replayed("plain");

    expect(parts.map(({ kind }) => kind).slice(0, 4)).toEqual(["user", "assistant", "arguments", "result"]);
    expect(parts.slice(0, 4).map(({ forms }) => forms[0]?.call)).toEqual([0, 1, 1, 1]);
    expect(
      parts.every(({ forms, chars }) => forms.length === 1 && forms[0]?.form === "full" && forms[0].chars === chars),
    ).toBe(true);
  });

  it("say under the context log in which call each took another form, and what the folds saved", async () => {
    const { calls, parts } = await replayed("log");

    const folds = calls.filter(({ fold }) => fold !== undefined);
    const references = parts.flatMap(({ forms }) => forms.filter(({ form }) => form === "reference"));

    expect(folds.length).toBeGreaterThan(0);
    expect(folds.every(({ fold, broke }) => broke === true && (fold?.savedChars ?? 0) > 0)).toBe(true);
    expect(references.length).toBeGreaterThan(0);
    expect(parts.find(({ kind }) => kind === "result")).toMatchObject({
      tool: expect.any(String),
      target: expect.any(String),
    });
  });

  it("tell of a missed edit which part had held its text", async () => {
    const { calls, parts, totals } = await replayed("ssot");

    const missed = calls.flatMap(({ missed = [] }) => missed);

    expect(missed).toHaveLength(totals.needed - totals.neededMet);
    expect(missed.length).toBeGreaterThan(0);
    for (const { part } of missed) expect(parts.map(({ key }) => key)).toContain(part);
  });
});

const replays = new Map<string, Promise<ReplayFigures>>();

/** The same session under a policy, replayed once. */
function replayed(policy: keyof typeof layouts): Promise<ReplayFigures> {
  const known = replays.get(policy);
  if (known !== undefined) return known;
  const content = generatedContent({ seed: 3, calls: 50 });
  const recording: Recording = { ...content, format: "pi", id: "parts", skippedLines: 0 };
  const replay = replayRecording(recording, {
    store: createMemoryStore(),
    layout: layouts[policy],
    session: "parts",
    // Without caching every fold pays, whatever the constants are.
    prices: { read: 1, write: 1 },
  });
  replays.set(policy, replay);
  return replay;
}

// Verifies: SSOT 4.4 (5), 6: one knob between cost and need.
import { RecordedSession } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import {
  type ContextLogOptions,
  type ContextLogPreset,
  contextLogConstants,
  contextLogPolicy,
  contextLogPresets,
} from "../../src/index.ts";
import { logLayout } from "../../src/layouts/log.ts";
import { expiryOf } from "../../src/policies/context-log/retention.ts";
import { partsOf } from "../../src/policies/log-index/log-parts.ts";
import { createRandom } from "../support/random.ts";
import { randomSession } from "../support/random-session.ts";
import { foldedCold, foldsNothing, lines, Script } from "../support/script.ts";

/** How long the last prompt of a session is that wrote 100 files in its first turn and read 20 others in its second. */
function charsKept(options: ContextLogOptions): number {
  const script = new Script(foldsNothing);
  for (let file = 0; file < 100; file += 1)
    script.call("write", { path: `new_${file}.ts`, content: lines(20, `new ${file}`) }, "Written.");
  script.say("Next.");
  for (let file = 0; file < 20; file += 1) script.read(`file_${file}.ts`, lines(20, `file ${file}`));
  return foldedCold(script, contextLogPolicy(options)).chars;
}

describe("the presets of the context log", () => {
  it("keep less text the leaner they are", () => {
    const [careful, normal, lean] = (["careful", "default", "lean"] as const).map((preset) => charsKept({ preset }));

    expect(careful).toBeGreaterThan(normal ?? 0);
    expect(normal).toBeGreaterThan(lean ?? 0);
  });

  it.each<[ContextLogPreset, object]>([
    ["careful", { waiting: [60, 12, 8], gathered: [60, 60, 8], changeArgs: [60, 90, 20] }],
    ["default", { waiting: [60, 12, 8], gathered: [60, 60, 8], changeArgs: [60, 30, 20] }],
    ["lean", { waiting: [42, 12, 8], gathered: [42, 42, 8], changeArgs: [60, 30, 20] }],
  ])("differ from their neighbours in one kind of text: %s", (preset, clocks) => {
    expect(contextLogPresets[preset].clocks).toEqual({
      ...{ brief: [3, 3, 3], change: [5, 5, 5], used: [4, 4, 4] },
      ...clocks,
    });
  });

  it("let nothing expire later than the more careful ones do, at any request of a session", () => {
    const clocks = (["lean", "default", "careful"] as const).map((preset) => expiryOf(contextLogConstants(preset)));
    let [same, later] = [0, 0];
    for (let seed = 0; seed < 6; seed += 1) {
      const session = new RecordedSession({ policy: foldsNothing, renderer: logLayout });
      for (const event of randomSession(createRandom(seed), { steps: 70 })) {
        session.add(event);
        if (event.kind !== "assistant") continue;
        const log = partsOf(session.view());
        for (const part of log.parts) {
          const [lean = 0, normal = 0, careful = 0] = clocks.map((clockOf) => clockOf(log, part).expiredAt);
          if (lean > normal || normal > careful) expect.fail(`Seed ${seed}: part ${part.key} of ${part.class}.`);
          if (lean === careful) same += 1;
          else later += 1;
        }
      }
    }

    expect(Math.min(same, later)).toBeGreaterThan(1_000);
  });

  it("have no retention budget, and one of one's own goes before", () => {
    for (const preset of ["careful", "default", "lean"] as const) {
      expect(charsKept({ preset })).toBe(charsKept({ preset, retentionBudget: 0 }));
      expect(charsKept({ preset })).toBeLessThan(charsKept({ preset, retentionBudget: 1 }));
    }
    expect(charsKept({})).toBe(charsKept({ preset: "default" }));
  });
});

// Verifies: SSOT 6: one knob between cost and need.
import { describe, expect, it } from "vitest";
import { type ContextLogOptions, contextLogPolicy, contextLogPresets } from "../../src/index.ts";
import { foldedCold, foldsNothing, lines, Script } from "../support/script.ts";

/** How long the last prompt of a session is that read more than any budget retains. */
function charsKept(options: ContextLogOptions): number {
  const script = new Script(foldsNothing);
  for (let file = 0; file < 90; file += 1) script.read(`file_${file}.ts`, lines(20, `file ${file}`));
  script.say("Next.");
  script.idle(9);
  return foldedCold(script, contextLogPolicy(options)).chars;
}

describe("the presets of the context log", () => {
  it("keep less text the leaner they are", () => {
    const [careful, normal, lean] = (["careful", "default", "lean"] as const).map((preset) => charsKept({ preset }));

    expect(careful).toBeGreaterThan(normal ?? 0);
    expect(normal).toBeGreaterThan(lean ?? 0);
    expect(lean).toBeGreaterThan(charsKept({ retentionBudget: 0 }));
  });

  it("have a retention budget each, and one of one's own goes before", () => {
    expect(charsKept({})).toBe(charsKept({ preset: "default" }));
    expect(charsKept({ preset: "careful" })).toBe(
      charsKept({ retentionBudget: contextLogPresets.careful.retentionBudget }),
    );
    expect(charsKept({ preset: "careful", retentionBudget: 0 })).toBe(charsKept({ retentionBudget: 0 }));
  });
});

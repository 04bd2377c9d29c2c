// Verifies: SSOT 6: one knob between cost and need.
import { describe, expect, it } from "vitest";
import { type ContextLogOptions, contextLogPolicy, contextLogPresets } from "../../src/index.ts";
import { lines, Script } from "../support/script.ts";

/** How long the last prompt of a session is that read more than any floor spares. */
function charsKept(options: ContextLogOptions): number {
  const script = new Script(contextLogPolicy(options));
  for (let file = 0; file < 30; file += 1) script.read(`file_${file}.ts`, lines(20, `file ${file}`));
  script.say("Next.");
  script.idle(20);
  script.session.cache = "cold";
  return script.request().prompt.chars;
}

describe("the presets of the context log", () => {
  it("keep less text the leaner they are", () => {
    const [careful, normal, lean] = (["careful", "default", "lean"] as const).map((preset) => charsKept({ preset }));

    expect(careful).toBeGreaterThan(normal ?? 0);
    expect(normal).toBeGreaterThan(lean ?? 0);
    expect(lean).toBeGreaterThan(charsKept({ floor: 0 }));
  });

  it("are names for floors, and a floor of one's own goes before", () => {
    expect(charsKept({})).toBe(charsKept({ preset: "default" }));
    expect(charsKept({ preset: "careful" })).toBe(charsKept({ floor: contextLogPresets.careful }));
    expect(charsKept({ preset: "careful", floor: 0 })).toBe(charsKept({ floor: 0 }));
  });
});

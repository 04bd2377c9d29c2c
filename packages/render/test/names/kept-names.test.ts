// Verifies: design 7.5: what stays beside the reference of a folded text.
import { describe, expect, it } from "vitest";
import { type KeptOptions, keptNames } from "../../src/names/kept-names.ts";
import { namesIn } from "../../src/names/names-in.ts";
import { createRandom, type Random } from "../support/random.ts";

const nothing = (): boolean => false;
const alone: KeptOptions = { inView: nothing, lines: true };

describe("what is kept of a folded text", () => {
  it("is nothing where all names stand in view", () => {
    expect(keptNames("call render_prompt now", { ...alone, inView: () => true })).toEqual({});
    expect(keptNames("nothing to name here", alone)).toEqual({});
  });

  it("is a short line where it holds a new name, without its number and the space around it", () => {
    expect(keptNames("  12→  const maxRetries = 3;  \nplain words", alone)).toEqual({
      lines: ["const maxRetries = 3;"],
    });
  });

  it("is only the word where the line is too long for what it tells, or lines are left out", () => {
    const long = `maxRetries ${"and so on ".repeat(6)}`;

    expect(keptNames(long, alone)).toEqual({ names: ["maxRetries"] });
    expect(keptNames("const maxRetries = 3;", { ...alone, lines: false })).toEqual({ names: ["maxRetries"] });
  });

  it("spells a path once, not also its pieces", () => {
    const kept = keptNames("src/render_prompt/parse_blocks.ts", { ...alone, lines: false });

    expect(kept).toEqual({ names: ["src/render_prompt/parse_blocks.ts"] });
  });

  it("is all of a text that is one name", () => {
    const hash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b";

    expect(keptNames(hash, { ...alone, lines: false })).toEqual({ names: [hash] });
  });

  it("covers all that is new while there is room, and lists nothing that stands in view", () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const random = createRandom(seed);
      const text = textOf(random, 4);
      const seen = new Set([...namesIn(text)].filter(() => random.chance(0.3)));

      for (const lines of [true, false]) {
        const kept = keptNames(text, { inView: (name) => seen.has(name), lines });

        const shown = namesIn([...(kept.names ?? []), ...(kept.lines ?? [])].join("\n"));
        const fresh = [...namesIn(text)].filter((name) => !seen.has(name));
        expect(fresh.filter((name) => !shown.has(name))).toEqual([]);
        expect((kept.names ?? []).filter((name) => seen.has(name))).toEqual([]);
        expect((kept.names ?? []).filter((name) => namesIn((kept.lines ?? []).join("\n")).has(name))).toEqual([]);
        expect(text.split("\n").map((line) => line.trim())).toEqual(expect.arrayContaining([...(kept.lines ?? [])]));
      }
    }
  });

  it("is at most a fifth of a longer text in words, and a fifth more in lines", () => {
    for (let seed = 1; seed <= 5; seed += 1) {
      const text = textOf(createRandom(seed), 100);

      const words = keptNames(text, { ...alone, lines: false });
      const both = keptNames(text, alone);

      expect(lengthOf(words.names)).toBeLessThanOrEqual(0.2 * text.length);
      expect(lengthOf(words.names)).toBeGreaterThan(0.15 * text.length);
      expect(lengthOf(both.names) + lengthOf(both.lines)).toBeLessThanOrEqual(0.4 * text.length);
    }
  });

  it("is at most 3,000 characters of words, however long the text", () => {
    const words = keptNames(textOf(createRandom(1), 2_000), { ...alone, lines: false });

    expect(lengthOf(words.names)).toBeLessThanOrEqual(3_000);
    expect(lengthOf(words.names)).toBeGreaterThan(2_900);
  });
});

/** Lines of words, some of them names. */
function textOf(random: Random, lines: number): string {
  const word = (): string => (random.chance(0.5) ? `name_${random.below(1_000_000)}_x` : "the words");
  return Array.from({ length: lines }, () => Array.from({ length: 4 }, word).join(" ")).join("\n");
}

const lengthOf = (texts: readonly string[] = []): number => texts.join(" ").length;

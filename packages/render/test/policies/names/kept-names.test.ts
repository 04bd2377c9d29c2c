// Verifies: SSOT 4.4 (3): what stays beside the reference of a folded text.

import { piecesAt, spansOf } from "@cm/context-log";
import { describe, expect, it } from "vitest";
import { type KeptNames, keptNames } from "../../../src/policies/names/kept-names.ts";
import { namesIn } from "../../../src/policies/names/names-in.ts";
import { createRandom, type Random } from "../../support/random.ts";

/** What is kept of a text where only these names stand in view. */
function keptOf(text: string, seen: (name: string) => boolean = () => false): KeptNames {
  return keptNames(text, { fresh: freshIn(text, seen), lines: true });
}

function wordsOf(text: string, seen: (name: string) => boolean = () => false): KeptNames {
  return keptNames(text, { fresh: freshIn(text, seen), lines: false });
}

const freshIn = (text: string, seen: (name: string) => boolean): readonly string[] =>
  [...namesIn(text)].filter((name) => !seen(name));

describe("what is kept of a folded text", () => {
  it("is nothing where all names stand in view", () => {
    expect(keptOf("call render_prompt now", () => true)).toEqual({});
    expect(keptOf("nothing to name here")).toEqual({});
  });

  it("is a short line where it holds a new name, without its number and the space around it", () => {
    expect(keptOf("  12→  const maxRetries = 3;  \nplain words")).toEqual({
      lines: ["const maxRetries = 3;"],
    });
  });

  it("is only the word where the line is too long for what it tells, or lines are left out", () => {
    const long = `maxRetries ${"and so on ".repeat(6)}`;

    expect(keptOf(long)).toEqual({ names: ["maxRetries"] });
    expect(wordsOf("const maxRetries = 3;")).toEqual({ names: ["maxRetries"] });
  });

  it("spells a path once, not also its pieces", () => {
    const kept = wordsOf("src/render_prompt/parse_blocks.ts");

    expect(kept).toEqual({ names: ["src/render_prompt/parse_blocks.ts"] });
  });

  it("is all of a text that is one name", () => {
    const hash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b";

    expect(wordsOf(hash)).toEqual({ names: [hash] });
  });

  it("stands in the order of the text, and each piece where a step can name it by place", () => {
    const text = textOf(createRandom(3), 100);

    const { names = [], lines = [] } = keptOf(text);

    for (const pieces of [names, lines]) {
      const spans = spansOf(text, pieces);
      expect(piecesAt(text, spans)).toEqual(pieces);
      expect(spans).toEqual(spans.toSorted(([a], [b]) => a - b));
    }
  });

  it("covers all that is new while there is room, and lists nothing that stands in view", () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const random = createRandom(seed);
      const text = textOf(random, 4);
      const seen = new Set([...namesIn(text)].filter(() => random.chance(0.3)));

      for (const lines of [true, false]) {
        const kept = (lines ? keptOf : wordsOf)(text, (name) => seen.has(name));

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

      const words = wordsOf(text);
      const both = keptOf(text);

      expect(lengthOf(words.names)).toBeLessThanOrEqual(0.2 * text.length);
      expect(lengthOf(words.names)).toBeGreaterThan(0.15 * text.length);
      expect(lengthOf(both.names) + lengthOf(both.lines)).toBeLessThanOrEqual(0.4 * text.length);
    }
  });

  it("is at most 3,000 characters of words, however long the text", () => {
    const words = wordsOf(textOf(createRandom(1), 2_000));

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

describe("lines that tell of a failure", () => {
  const run = [
    "PASS src/stock.test.ts",
    "PASS src/tax.test.ts",
    "FAIL src/order.test.ts",
    "  a discount of ten percent",
    ...Array.from({ length: 40 }, (_, n) => `    at step ${n} of the run`),
    "Tests: 1 failed, 14 passed, 15 total",
  ].join("\n");
  const fresh = ["src/stock.test.ts", "src/tax.test.ts"];

  it("stay where other lines of what a command said do, so that the rest does not read like a success", () => {
    expect(keptNames(run, { fresh, lines: true, failures: true }).lines).toEqual([
      "PASS src/stock.test.ts",
      "PASS src/tax.test.ts",
      "FAIL src/order.test.ts",
      "Tests: 1 failed, 14 passed, 15 total",
    ]);
    expect(keptNames(run, { fresh, lines: true }).lines).toEqual(["PASS src/stock.test.ts", "PASS src/tax.test.ts"]);
  });

  it("are the first and the last one, and none where no line stays", () => {
    const many = `${run}\n${"Error: it broke again\n".repeat(50)}the end: 7 errors`;

    expect(keptNames(many, { fresh, lines: true, failures: true }).lines).toEqual([
      ...["PASS src/stock.test.ts", "PASS src/tax.test.ts", "FAIL src/order.test.ts"],
      "the end: 7 errors",
    ]);
    expect(keptNames(many, { fresh: [], lines: true, failures: true })).toEqual({});
  });
});

// Verifies: SSOT 2.8, decision 75: an amendment is recorded as what was put in, never as text that was there before.
import { textEdits, withEdits } from "@cm/context-log/state";
import type { Random } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { forSeeds } from "./support/seeds.ts";

const file = "test/text-edits.test.ts";

describe("edits between two texts", () => {
  it("make the one of the other, in order, and can be stored", async () => {
    await forSeeds({ short: 500, long: 20_000, file }, async (random) => {
      const from = randomText(random);
      const to = random.chance(0.2) ? randomText(random) : changed(random, from);

      const edits = textEdits(from, to);

      expect(withEdits(from, edits)).toBe(to);
      let place = 0;
      for (const [start, end, put] of edits) {
        expect([place <= start, start <= end, end <= from.length]).toEqual([true, true, true]);
        expect(put.isWellFormed()).toBe(true);
        place = end;
      }
    });
  });

  it("hold no line that stays, wherever lines come and go", async () => {
    await forSeeds({ short: 200, long: 5_000, file }, async (random) => {
      const lines = Array.from({ length: 40 }, (_, n) => `kept${n}secret`);
      const after = lines.flatMap((line) =>
        random.chance(0.2) ? random.pick([[], ["put in"], [line, "put in"], ["put in", "twice", line]]) : [line],
      );

      const put = textEdits(lines.join("\n"), after.join("\n")).map(([, , text]) => text);

      expect(put.join("")).not.toContain("secret");
    });
  });

  it.each([
    ["nothing", "a b", "a b", []],
    ["a line that came between two", "one\ntwo\n", "one\nput\ntwo\n", [[4, 4, "put\n"]]],
    [
      "lines that went at both ends",
      "one\nsecret\ntwo",
      "secret\n",
      [
        [0, 4, ""],
        [11, 14, ""],
      ],
    ],
    [
      "two words of one line",
      "a secret b",
      "c secret d",
      [
        [0, 1, "c"],
        [9, 10, "d"],
      ],
    ],
    ["a character of two units", "🙂", "🙃", [[0, 2, "🙃"]]],
    ["a character that ends alike", "\u{10000}", "\u{20000}", [[0, 2, "\u{20000}"]]],
    ["all of it", "secret", "", [[0, 6, ""]]],
  ])("are %s", (_what, from, to, edits) => {
    expect(textEdits(from, to)).toEqual(edits);
  });

  it("end in time for long texts that have nothing in common, and for ones that are long and alike", () => {
    const numbered = (word: string) => Array.from({ length: 20_000 }, (_, n) => `${word} ${n}`);
    const [from, other] = [numbered("from").join("\n"), numbered("other").join("\n")];
    const alike = numbered("from").with(9_000, "put").join("\n");

    expect(withEdits(from, textEdits(from, other))).toBe(other);
    expect(textEdits(from, alike)).toEqual([[expect.any(Number), expect.any(Number), "put"]]);
  });
});

const pieces = ["one", "two", " ", "\n", "\r\n", "🙂", "🙃", "é", "日本", '{"a":"', "0", "\t", ""];

const randomText = (random: Random): string =>
  Array.from({ length: random.below(60) }, () => random.pick(pieces)).join("");

/** The same with some of its characters taken out, doubled or replaced. */
function changed(random: Random, text: string): string {
  return [...text]
    .map((one) => (random.chance(0.9) ? one : random.pick(["", one + one, random.pick(pieces)])))
    .join("");
}

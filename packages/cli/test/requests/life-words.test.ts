// Verifies: decision 0092: how the life of a text is told to people.
import type { LifeStanding, LifeText } from "@cm/session/past";
import { describe, expect, it } from "vitest";
import { textLines } from "../../src/requests/life-words.ts";

const place = (n: number) => ({ n, step: { session: "s", n }, atMs: undefined });

function told(kind: LifeText["kind"], standing: LifeStanding, reason?: string): readonly string[] {
  const call = { id: "c1", alias: "t1", tool: "write" };
  const run = { standing, from: place(1), to: place(2), reason };
  return textLines({ part: "1", kind, call, chars: 1_200, lines: undefined, runs: [run] }, { session: "s", newest: 2 });
}

describe("a text in the life of an object", () => {
  it.each([
    ["output", "reference", "output was read", "folded to a line: its output had been read and was not used again"],
    ["arguments", "reference", "edit is long ago", "each long text cut to its beginning: the edit is long ago"],
    ["output", "left out", "window: earlier turns left out", "left out as a whole: the model's window was full"],
  ] as const)("%s that stood as %s is told as it stood", (kind, standing, reason, words) => {
    expect(told(kind, standing, reason)[1]).toBe(`  from step 1 on  ${words}`);
  });

  it.each(["erased", "missing"] as const)("that is %s has no length that is known", (standing) => {
    expect(told("output", standing)[0]).toBe("Output of t1 (write)");
    expect(told("output", "in full")[0]).toBe("Output of t1 (write), 1,200 characters");
  });
});

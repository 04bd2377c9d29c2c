// Verifies: the diff of two versions, also of texts with nothing in common.
import { describe, expect, it } from "vitest";
import { unifiedDiff } from "../../src/output/unified-diff.ts";

const side = (name: string, text: string) => ({ name, text });

describe("a unified diff", () => {
  it("is empty for equal texts", () => {
    expect(unifiedDiff(side("a", "x\n"), side("b", "x\n"))).toBe("");
  });

  it("says where a last line has no end", () => {
    expect(unifiedDiff(side("a", "x"), side("b", "x\n"))).toContain("\\ No newline at end of file");
  });

  it("replaces everything where the search would take too long", () => {
    const text = (word: string) => Array.from({ length: 5_000 }, (_, n) => `${word} ${n}\n`).join("");

    const diff = unifiedDiff(side("a", text("old")), side("b", text("new")));

    expect(diff.split("\n").slice(0, 4)).toEqual(["--- a", "+++ b", "@@ -1,5000 +1,5000 @@", "-old 0"]);
    expect(diff.endsWith("+new 4999\n")).toBe(true);
  });
});

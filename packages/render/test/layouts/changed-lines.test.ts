import { describe, expect, it } from "vitest";
import { changedLines } from "../../src/layouts/changed-lines.ts";

const many = (count: number, name: string): string =>
  Array.from({ length: count }, (_, line) => `${name} ${line}`).join("\n");

describe("changed lines", () => {
  it("say where they stand, with one line around them", () => {
    expect(changedLines("a\nb\nc\nd\n", "a\nb\nx\nd\n")).toBe("@@ -2,3 +2,3 @@\n b\n-c\n+x\n d");
  });

  it("count as the line numbers of the texts do, and do not compare these", () => {
    expect(changedLines("40→a\n41→b", "41→a\n42→c")).toBe("@@ -40,2 +41,2 @@\n a\n-b\n+c");
  });

  it("count as the file does below what Codex says above it, and leave that out", () => {
    const said = (seconds: number) => `Wall time: 0.${seconds} seconds\nProcess exited with code 0\nOutput:\n`;

    expect(changedLines(`${said(1)}a\nb\nc\n`, `${said(2)}a\nb\nx\n`)).toBe("@@ -2,2 +2,2 @@\n b\n-c\n+x");
    expect(changedLines(`${said(1)}     1\ta\n     2\tb\n`, `${said(2)}     1\ta\n     2\tx\n`)).toBe(
      "@@ -1,2 +1,2 @@\n a\n-b\n+x",
    );
  });

  it("are empty for equal texts", () => {
    expect(changedLines("a\nb", "a\nb")).toBe("");
  });

  it("are given up, the same each time, for texts too different or too long", () => {
    expect(changedLines(many(1_000, "old"), many(1_000, "new"))).toBeUndefined();
    expect(changedLines("x".repeat(1_500_000), "y".repeat(1_500_000))).toBeUndefined();
  });
});

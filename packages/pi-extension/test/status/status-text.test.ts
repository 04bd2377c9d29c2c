// Verifies: issue 8.6 and 8.7: one line says the context now, what was saved and billed, and what is wrong.
import { describe, expect, it } from "vitest";
import type { Health } from "../../src/managed/health.ts";
import { statusText } from "../../src/status/status-text.ts";
import { healthy, someFigures } from "../support/managed-over.ts";

const off: Health = { state: "off", unwritten: 0 };
const nothingYet = { contextChars: 0, plainChars: 0, billed: 0, plainBilled: 0, requests: 0 };

describe("the status line", () => {
  it.each([
    [someFigures, healthy, "cm 12.4k tokens · saved 71% · billed 58%"],
    [undefined, healthy, "cm on"],
    [undefined, { state: "opening", unwritten: 0 }, "cm on"],
    [undefined, off, "cm off"],
    [someFigures, off, "cm off"],
    [nothingYet, healthy, "cm 0 tokens"],
    [{ ...someFigures, contextChars: 3_999, plainChars: 3_999 }, healthy, "cm 1.0k tokens · saved 0% · billed 58%"],
    [{ ...someFigures, contextChars: 3_990, plainChars: 3_800 }, healthy, "cm 998 tokens · saved -5% · billed 58%"],
    [{ ...someFigures, contextChars: 171_000 }, healthy, "cm 42.8k tokens · saved 0% · billed 58%"],
    [{ ...someFigures, contextChars: 480_000 }, healthy, "cm 120k tokens · saved -181% · billed 58%"],
    [someFigures, { state: "ok", unwritten: 1 }, "cm 12.4k tokens · saved 71% · billed 58% · 1 step not written"],
    [
      someFigures,
      { state: "away", reason: "it is locked", unwritten: 3 },
      "cm 12.4k tokens · saved 71% · billed 58% · 3 steps not written · database away: it is locked",
    ],
    [undefined, { state: "away", unwritten: 0 }, "cm database away"],
    [
      undefined,
      { state: "damaged", reason: "no header.", unwritten: 2 },
      "cm 2 steps not written · database damaged: no header",
    ],
  ] satisfies readonly (readonly [typeof someFigures | undefined, Health, string])[])(
    "says %#",
    (figures, health, line) => {
      expect(statusText(figures, health)).toBe(line);
    },
  );

  it("stays one short line, whatever the reason is", () => {
    const line = statusText(someFigures, {
      state: "away",
      reason: `no\nway\u001b[31m ${"x".repeat(10_000)}`,
      unwritten: 10_000,
    });

    expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(line.length).toBeLessThan(180);
    expect(line).toContain("10,000 steps not written");
  });
});

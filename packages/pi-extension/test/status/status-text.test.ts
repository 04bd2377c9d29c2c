// Verifies: SSOT 5.12: one line says what was saved, and nothing before that, and what is wrong.
import { describe, expect, it } from "vitest";
import type { Health } from "../../src/health.ts";
import { statusText } from "../../src/status/status-text.ts";
import { healthy, someFigures } from "../support/managed-over.ts";

const off: Health = { state: "off", unwritten: 0 };
const saved = "cm saved about $0.420 (42% of input) · 12.4k tokens instead of about 42.8k";
const dearer = { ...someFigures, input: { ours: 1.04, plain: 1 }, dollars: { ours: 1.17, plain: 1.13 } };
const equal = { ...someFigures, input: { ours: 0.996, plain: 1 }, dollars: { ours: 1.126, plain: 1.13 } };
const larger = { ...someFigures, contextTokens: 60_100 };
const unpriced = { ...someFigures, input: { ours: 58_000, plain: 100_000 }, dollars: undefined };

describe("the status line", () => {
  it.each([
    [someFigures, healthy, saved],
    [undefined, healthy, "cm on"],
    [undefined, { state: "opening", unwritten: 0 }, "cm on"],
    [undefined, off, "cm off"],
    [someFigures, off, "cm off"],
    [dearer, healthy, "cm on"],
    [equal, healthy, "cm on"],
    [{ ...someFigures, input: { ours: 0, plain: 0 } }, healthy, "cm on"],
    [larger, healthy, "cm saved about $0.420 (42% of input) · 60.1k tokens"],
    [unpriced, healthy, "cm saved about 42% of input · 12.4k tokens instead of about 42.8k"],
    [
      { ...unpriced, isReported: false },
      healthy,
      "cm saved about 42% of input · about 12.4k tokens instead of about 42.8k",
    ],
    [someFigures, { state: "ok", unwritten: 1 }, saved.replace("cm", "cm 1 step not written ·")],
    [
      someFigures,
      { state: "offline", reason: "it is locked", unwritten: 3 },
      saved.replace("cm", "cm 3 steps not written · database offline: it is locked ·"),
    ],
    [dearer, { state: "offline", unwritten: 0 }, "cm database offline"],
    [undefined, { state: "offline", unwritten: 0 }, "cm database offline"],
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
      state: "offline",
      reason: `no\nway\u001b[31m ${"x".repeat(10_000)}`,
      unwritten: 10_000,
    });

    expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(line.length).toBeLessThan(190);
    expect(line).toContain("10,000 steps not written");
  });
});

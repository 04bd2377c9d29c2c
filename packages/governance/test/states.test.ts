// Verifies: reference "Session": nine states with exactly the allowed moves; "Task": running, then ended once; the warning.
import { describe, expect, it } from "vitest";
import {
  acceptsTask,
  hasSessionEnded,
  moveSession,
  moveStep,
  moveTask,
  type SessionState,
  sessionStates,
  stepAllowance,
  stepWarningAt,
  taskStates,
} from "../src/index.ts";

/** The table of the reference, written down again. */
const table: Record<string, readonly string[]> = {
  SESSION_CREATED: ["SESSION_RUNNING", "SESSION_FAILED", "SESSION_CANCELLED"],
  SESSION_RUNNING: sessionStates.slice(2),
  WAITING_FOR_LLM: ["SESSION_RUNNING", "SESSION_FAILED", "SESSION_CANCELLED"],
  WAITING_FOR_TOOL: ["SESSION_RUNNING", "SESSION_FAILED", "SESSION_CANCELLED"],
  WAITING_FOR_APPROVAL: ["SESSION_RUNNING", "SESSION_FAILED", "SESSION_CANCELLED"],
  SESSION_PAUSED: ["SESSION_RUNNING", "SESSION_COMPLETED", "SESSION_FAILED", "SESSION_CANCELLED"],
};
const pairs = sessionStates.flatMap((from) => sessionStates.map((to): [SessionState, SessionState] => [from, to]));

describe("a session", () => {
  it("has 81 pairs of states", () => {
    expect(pairs).toHaveLength(81);
  });

  it.each(pairs)("from %s to %s moves as the table says", (from, to) => {
    const move = () => moveSession(from, to);

    if (table[from]?.includes(to)) expect(move()).toBe(to);
    else expect(move).toThrow(expect.objectContaining({ code: "governance/invalid-move", data: { from, to } }));
  });

  it("ends for good, and takes tasks only where it runs", () => {
    expect(sessionStates.filter(hasSessionEnded)).toEqual(sessionStates.slice(6));
    expect(sessionStates.filter(acceptsTask)).toEqual(sessionStates.slice(1, 5));
  });
});

describe("a task, and a step", () => {
  it.each(taskStates.flatMap((from) => taskStates.map((to) => [from, to] as const)))("from %s to %s", (from, to) => {
    for (const move of [moveTask, moveStep]) {
      if (from === "running" && to !== "running") expect(move(from, to)).toBe(to);
      else expect(() => move(from, to)).toThrow();
    }
  });

  it("warns exactly once at floor(0.8 max) for every maximum from 1 to 200", () => {
    for (let max = 1; max <= 200; max++) {
      const counts = Array.from({ length: max + 1 }, (_, taken) => taken);
      const warned = counts.filter((taken) => stepAllowance(max, taken).warns);
      expect(warned).toEqual([stepWarningAt(max)]);
      expect(BigInt(stepWarningAt(max))).toBe((8n * BigInt(max)) / 10n);
      expect(counts.filter((taken) => stepAllowance(max, taken).isUsedUp)).toEqual([max]);
    }
  });

  it.each([0, 201, 1.5, Number.NaN, -1])("has no maximum of %s steps", (max) => {
    expect(() => stepWarningAt(max)).toThrow(expect.objectContaining({ code: "governance/limit" }));
  });
});

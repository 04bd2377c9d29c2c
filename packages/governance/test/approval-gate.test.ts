// Verifies: reference "Approvals".
import { describe, expect, it } from "vitest";
import { ApprovalGate, limits, stepChain } from "../src/index.ts";

const chain = stepChain({ workspaceId: "w", sessionId: "s", taskId: "t", stepId: "t.1" });
const asked = { chain, capability: "Shell.Exec", risk: "high", summary: "git push" } as const;

function gateWithClock(isTimerLate = false) {
  const timers = new Map<() => void, number>();
  const clock = {
    at: 1_000,
    now: () => clock.at,
    after(milliseconds: number, run: () => void) {
      timers.set(run, clock.at + milliseconds);
      return () => timers.delete(run);
    },
    advance(milliseconds: number) {
      clock.at += milliseconds;
      for (const [run, due] of timers) {
        if (due > clock.at || isTimerLate) continue;
        timers.delete(run);
        run();
      }
    },
  };
  let serial = 0;
  return { clock, timers, gate: new ApprovalGate({ clock, newId: () => `appr-${++serial}` }) };
}

describe("an approval", () => {
  it("has its id before a person is asked, and says who answered, and keeps the times of both sides", async () => {
    const { gate, clock, timers } = gateWithClock();
    const { request, decided } = gate.ask(asked);
    expect([request.approvalId, gate.waiting()]).toEqual(["appr-1", [request]]);

    clock.advance(5_000);
    const record = gate.answer("appr-1", { decision: "approved", clientAt: 777, decidedBy: "ada" });

    expect(record).toEqual({
      ...{ request, decision: "approved", by: "answer" },
      ...{ decidedAt: 6_000, clientAt: 777, decidedBy: "ada" },
    });
    expect(await decided).toBe(record);
    expect([gate.waiting(), timers.size]).toEqual([[], 0]);
  });

  it("is denied by five minutes of silence, and not a moment before", async () => {
    const { gate, clock } = gateWithClock();
    const { decided } = gate.ask(asked);

    clock.advance(limits.approvalWaitMs - 1);
    expect(gate.waiting()).toHaveLength(1);
    clock.advance(1);

    expect(limits.approvalWaitMs).toBe(5 * 60_000);
    expect(await decided).toMatchObject({ decision: "denied", by: "silence", clientAt: null, decidedBy: null });
  });

  it.each([false, true])("finds no late, second or unknown answer (timer late: %s)", async (isTimerLate) => {
    const { gate, clock } = gateWithClock(isTimerLate);
    const { decided } = gate.ask(asked);
    clock.advance(limits.approvalWaitMs);

    expect(gate.answer("appr-1", { decision: "approved" })).toBeUndefined();
    expect(gate.answer("none", { decision: "approved" })).toBeUndefined();
    expect(await decided).toMatchObject({ decision: "denied", by: "silence" });
    gate.ask(asked);
    expect(gate.answer("appr-2", { decision: "denied" })).toMatchObject({ decision: "denied", by: "answer" });
    expect(gate.answer("appr-2", { decision: "approved" })).toBeUndefined();
  });

  it("keeps no other tool waiting", async () => {
    const { gate } = gateWithClock();
    gate.ask(asked);
    const second = gate.ask(asked);

    gate.answer(second.request.approvalId, { decision: "approved" });

    expect(await Promise.all([second.decided, Promise.resolve("another tool")])).toHaveLength(2);
    expect(gate.waiting().map(({ approvalId }) => approvalId)).toEqual(["appr-1"]);
  });

  it("ends with its task, and so do not those of others", async () => {
    const { gate } = gateWithClock();
    const { decided } = gate.ask(asked);
    gate.ask({ ...asked, chain: stepChain({ ...chain, taskId: "t2", stepId: "t2.1" }) });

    expect(gate.end({ sessionId: "s", taskId: "t" })).toHaveLength(1);
    expect(await decided).toMatchObject({ decision: "denied", by: "ended" });
    expect(gate.end({ sessionId: "s" })).toHaveLength(1);
  });

  it("is refused where too many wait", () => {
    const { gate } = gateWithClock();
    for (let waiting = 0; waiting < limits.approvalsWaitingMax; waiting++) gate.ask(asked);

    expect(() => gate.ask(asked)).toThrow(expect.objectContaining({ code: "governance/limit" }));
  });
});

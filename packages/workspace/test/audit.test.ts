// Verifies: reference "Audit and telemetry": append-only, by session and time; emitting never fails the work. "Approvals": kept.
import { governedEvent, stepChain } from "@cm/governance";
import { createMemoryStore } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { openWorkspaces, withWorkspaceTypes } from "../src/index.ts";

const chain = (sessionId = "s") => stepChain({ workspaceId: "w", sessionId, taskId: "t", stepId: "t.1" });
const event = (eventId: string, at: number, sessionId?: string) =>
  governedEvent("step_started", {
    eventId,
    chain: chain(sessionId),
    tenantId: "t",
    userId: "u",
    at,
    component: "LocalAgentHost",
    payload: { number: at },
  });

function world() {
  const store = createMemoryStore({ types: withWorkspaceTypes() });
  const state = { isDown: false };
  const records = {
    ...store,
    contract: store.contract,
    getMany: store.getMany.bind(store),
    find: store.find.bind(store),
    history: store.history.bind(store),
    erase: store.erase.bind(store),
    commit: (...given: Parameters<typeof store.commit>) =>
      state.isDown ? Promise.reject(new Error("down")) : store.commit(...given),
  };
  return { state, audit: openWorkspaces({ records }).audit };
}

describe("the audit", () => {
  it("has the events of a session, newest first, between two moments and in pages", async () => {
    const { audit } = world();
    for (let at = 1; at <= 7; at++) audit.emit(event(`e${at}`, at));
    audit.emit(event("other", 3, "s2"));
    expect(await audit.flush()).toBe(true);

    const ids = (page: { readonly events: readonly { readonly eventId: string }[] }) =>
      page.events.map(({ eventId }) => eventId);
    expect(ids(await audit.bySession("s", { from: 3, to: 6 }))).toEqual(["e5", "e4", "e3"]);
    const first = await audit.bySession("s", { limit: 4 });
    expect([ids(first), ids(await audit.bySession("s", { cursor: first.next ?? "" }))]).toEqual([
      ["e7", "e6", "e5", "e4"],
      ["e3", "e2", "e1"],
    ]);
    expect(first.events[0]).toEqual(event("e7", 7));
  });

  it("fails no caller while the store is down, and writes each event once when it is back", async () => {
    const { audit, state } = world();
    state.isDown = true;
    audit.emit(event("e1", 1));
    expect(await audit.flush()).toBe(false);
    state.isDown = false;
    audit.emit(event("e1", 1));
    audit.emit(event("e2", 2));

    expect(await Promise.all([audit.flush(), audit.flush()])).toEqual([true, true]);
    expect((await audit.bySession("s")).events).toHaveLength(2);
    expect(audit.lost).toBe(0);
  });

  it("is held up by no event with half of a surrogate pair", async () => {
    const { audit } = world();
    const facts = { chain: chain(), tenantId: "t", userId: "u", component: "LocalAgentHost" } as const;
    const payload = { callId: "c1", toolName: "bash", arguments: "half \ud83d" };
    audit.emit(governedEvent("tool_requested", { ...facts, eventId: "e1", at: 1, payload }));
    audit.emit(event("e2", 2));

    expect(await audit.flush()).toBe(true);
    const { events } = await audit.bySession("s");
    expect(events.map(({ payload: { arguments: args } }) => args)).toEqual([undefined, "half \ufffd"]);
  });

  it("keeps an approval once, with its chain, who decided and the times of both sides", async () => {
    const { audit } = world();
    const request = {
      approvalId: "a1",
      chain: chain(),
      capability: "X",
      risk: "high",
      summary: "hush",
      requestedAt: 1,
      expiresAt: 9,
    } as const;
    const record = { request, decision: "denied", by: "answer", decidedAt: 4, clientAt: 3, decidedBy: "ada" } as const;

    await audit.saveApproval(record);
    await audit.saveApproval({ ...record, decision: "approved" } as never);

    const kept = await audit.approvalsOf("s");
    expect(kept).toHaveLength(1);
    expect(kept[0]).toMatchObject({
      decision: "denied",
      decided_at: 4,
      client_at: 3,
      decided_by: "ada",
      task_id: "t",
      step_id: "t.1",
    });
  });

  it("writes nothing again whose time was over, and holds up nothing behind it", async () => {
    const records = createMemoryStore({ types: withWorkspaceTypes() });
    const { audit, expireAudit } = openWorkspaces({ records, now: () => 3 * 86_400_000 });
    const request = {
      approvalId: "a",
      chain: chain(),
      capability: "X",
      risk: "high",
      summary: "s",
      requestedAt: 1,
    } as const;
    const record = { request: { ...request, expiresAt: 9 }, decision: "denied", by: "answer", decidedAt: 1 } as const;
    const saved = { ...record, clientAt: null, decidedBy: null };
    audit.emit(event("e1", 1));
    await audit.flush();
    await audit.saveApproval(saved);
    expect(await expireAudit({ dryRun: false, olderThanDays: 1 })).toBe(2);

    audit.emit(event("e1", 1));
    audit.emit(event("e2", 2));
    const isWritten = await audit.flush();
    await audit.saveApproval(saved);

    expect(isWritten).toBe(true);
    expect((await audit.bySession("s")).events.map(({ eventId }) => eventId)).toEqual(["e2"]);
    expect(await audit.approvalsOf("s")).toEqual([]);
  });

  it("is kept for a year, and what is older goes when it is told to, after a dry run", async () => {
    const year = 365 * 86_400_000;
    const records = createMemoryStore({ types: withWorkspaceTypes() });
    const { audit, expireAudit } = openWorkspaces({ records, now: () => 2 * year });
    for (const at of [1, year - 1, year]) audit.emit(event(`e${at}`, at));
    await audit.flush();

    expect([await expireAudit(), (await audit.bySession("s")).events.length]).toEqual([2, 3]);
    expect(await expireAudit({ dryRun: false })).toBe(2);
    expect((await audit.bySession("s")).events.map(({ eventId }) => eventId)).toEqual([`e${year}`]);
  });
});

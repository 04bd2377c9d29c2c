// Verifies: reference "Audit and telemetry": one envelope; audit complete, telemetry without any user content.
import { describe, expect, it } from "vitest";
import {
  auditView,
  type EventType,
  eventKinds,
  eventTypes,
  governedEvent,
  parseEvent,
  sessionChain,
  stepChain,
  telemetryView,
} from "../../src/index.ts";

const ids = { workspaceId: "w", sessionId: "s", taskId: "t", stepId: "t.1" };
let planted = 0;
const word = (): string => `planted-${++planted}-word`;

/** An event of a kind with all of its fields, each that can hold a text with a word of its own. */
function fullEvent(type: EventType) {
  const { place, fields } = eventKinds[type];
  const words: string[] = [];
  const payload = Object.fromEntries(
    Object.entries(fields).map(([key, field]) => {
      if (field.kind === "count") return [key, 7];
      if (field.kind === "flag") return [key, true];
      if (field.kind === "choice") return [key, field.of[0]];
      words.push(word());
      return [key, words.at(-1)];
    }),
  );
  const chain = place === "inside" ? stepChain(ids) : sessionChain(ids);
  const facts = { eventId: "e", chain, tenantId: "t", userId: "u", at: 0, component: "LocalAgentHost", payload };
  return { words, event: governedEvent(type, facts as Parameters<typeof governedEvent<typeof type>>[1]) };
}

describe("telemetry", () => {
  it.each(eventTypes)("of %s has no word that was planted, and audit has them all", (type) => {
    for (let time = 0; time < 30; time++) {
      const { words, event } = fullEvent(type);

      const told = JSON.stringify(telemetryView(event, { names: new Set(["bash"]) }));
      const audited = JSON.stringify(auditView(event));

      expect(told).not.toContain("planted");
      expect(words.every((one) => audited.includes(one))).toBe(true);
      expect(parseEvent(JSON.parse(audited))).toEqual(event);
    }
  });

  it("was tried with a thousand words and more, in every kind that has texts", () => {
    const withTexts = eventTypes.filter((type) =>
      Object.values(eventKinds[type].fields).some(({ kind }) => kind === "text" || kind === "name"),
    );

    expect(withTexts.length).toBeGreaterThan(12);
    expect(planted).toBeGreaterThan(1_000);
  });

  it("tells counts, choices, and names that the program knows", () => {
    const payload = { toolName: "bash", capability: "made up", status: "ok", latencyMs: 4, error: "secret" } as const;
    const facts = { eventId: "e", chain: stepChain(ids), tenantId: "t", userId: "u", at: 0 };
    const event = governedEvent("tool_completed", { ...facts, component: "LocalToolRuntime", payload });

    const told = telemetryView(event, { names: new Set(["bash"]) });

    expect(told.payload).toEqual({ toolName: "bash", capability: "(other)", status: "ok", latencyMs: 4 });
    expect(told).toMatchObject({ ...ids, eventType: "tool_completed", boundedContext: "AgentExecution" });
  });

  it("leaves out what an event says beyond its kind", () => {
    const { event } = fullEvent("step_started");
    const more = { ...event, payload: { ...event.payload, extra: "content" } };

    expect(telemetryView(more, { names: new Set() }).payload).toEqual({ number: 7 });
    expect(() => parseEvent(more)).toThrow(expect.objectContaining({ code: "governance/invalid-event" }));
  });
});

describe("an event", () => {
  it("has the whole envelope", () => {
    expect(Object.keys(fullEvent("task_started").event).sort()).toEqual(
      "boundedContext component eventId eventType payload sessionId severity stepId taskId tenantId timestamp userId workspaceId".split(
        " ",
      ),
    );
  });

  it.each([
    ["another type", { eventType: "made_up" }],
    ["a chain of a session inside a task", { taskId: null, stepId: null }],
    ["a count that is none", { payload: { maxSteps: "many" } }],
    ["another context", { boundedContext: "Approval" }],
    ["a time that is none", { timestamp: "today" }],
  ])("is refused with %s", (_case, changes) => {
    const { event } = fullEvent("task_started");

    expect(() => parseEvent({ ...event, ...changes })).toThrow(
      expect.objectContaining({ code: "governance/invalid-event" }),
    );
  });

  it.each([
    "session_created",
    "session_cancelled",
    "policy_bundle_issued",
    "approval_requested",
    "approval_resolved",
    "tool_requested",
    "llm_request_completed",
    "session_state_changed",
  ])("exists for the minimum of the audit: %s", (type) => {
    expect(eventTypes).toContain(type);
  });
});

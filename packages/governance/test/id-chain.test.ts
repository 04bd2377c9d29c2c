// Verifies: reference "Id chain": four keys always; task and step null only outside a task; workspaceId never null.
import { describe, expect, expectTypeOf, it } from "vitest";
import { type EventFacts, type IdChain, parseChain, sessionChain, stepChain } from "../src/index.ts";

const ids = { workspaceId: "w", sessionId: "s", taskId: "t", stepId: "t.1" };

describe("an id chain", () => {
  it("has its four keys in any case", () => {
    expect(Object.keys(sessionChain(ids))).toEqual(Object.keys(stepChain(ids)));
    expect(sessionChain(ids)).toEqual({ ...ids, taskId: null, stepId: null });
    expect(parseChain({ ...ids, other: 1 })).toEqual(ids);
  });

  it.each([
    ["no workspace", { ...ids, workspaceId: null }],
    ["no session", { ...ids, sessionId: undefined }],
    ["a task without a step", { ...ids, stepId: null }],
    ["a step without a task", { ...ids, taskId: null }],
    ["a missing key", { workspaceId: "w", sessionId: "s", taskId: null }],
    ["an empty id", { ...ids, stepId: "" }],
    ["an id that is none", { ...ids, taskId: "a b" }],
    ["nothing", null],
  ])("is none with %s", (_case, value) => {
    expect(() => parseChain(value)).toThrow(expect.objectContaining({ code: "governance/invalid-chain" }));
  });

  it("cannot be put together past its functions, and no event is made without one", () => {
    expectTypeOf<typeof ids>().not.toExtend<IdChain>();
    expectTypeOf(sessionChain(ids)).not.toExtend<EventFacts<"task_started">["chain"]>();
    expectTypeOf(stepChain(ids)).toExtend<EventFacts<"task_started">["chain"]>();
  });
});

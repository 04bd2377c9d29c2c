// Verifies: order of events is kept when a recording is cut into model calls (SSOT 8, "step").

import type { RecordedAssistant, RecordedEvent, RecordedResult, RecordedUser } from "@cm/recordings";
import { describe, expect, it } from "vitest";
import { modelCalls } from "../../src/calls/model-calls.ts";

const user = (text: string): RecordedUser => ({ kind: "user", text, attachments: [] });
const answer = (text: string, ...ids: readonly string[]): RecordedAssistant => ({
  kind: "assistant",
  text,
  thinking: [],
  calls: ids.map((id) => ({ id, name: "bash", args: {} })),
});
const result = (callId: string): RecordedResult => ({
  kind: "result",
  callId,
  tool: "bash",
  text: callId,
  failed: false,
  attachments: [],
});

describe("modelCalls", () => {
  it("gives each answer the results of its own calls", () => {
    const events = [user("a"), answer("b", "1", "2"), result("1"), result("2"), answer("c")];

    const calls = modelCalls(events);

    expect(calls.map(({ before, results }) => [before.length, results.map(({ callId }) => callId)])).toEqual([
      [1, ["1", "2"]],
      [0, []],
    ]);
  });

  it("puts late and foreign results before the next request, in order", () => {
    const events = [answer("a", "1", "2"), result("1"), user("b"), result("2"), result("x"), answer("c")];

    const calls = modelCalls(events);

    expect(calls[1]?.before).toEqual([user("b"), result("2"), result("x")]);
  });

  it("loses no event before the last answer, in order", () => {
    const events: readonly RecordedEvent[] = [
      result("0"),
      answer("a", "1"),
      result("9"),
      result("1"),
      user("u"),
      answer("b"),
    ];

    const replayed = modelCalls(events).flatMap(({ before, answer: said, results }) => [...before, said, ...results]);

    expect(replayed).toEqual(events);
  });
});

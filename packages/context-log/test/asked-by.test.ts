// Verifies: SSOT 4.4 (10): which answer asked for a result, whenever the result came.
import { expect, it } from "vitest";
import { askedBy, type LogEntry } from "../src/index.ts";

const place = (at: number) => ({ at, step: at, turn: 0 });
const answer = (at: number, calls: readonly (readonly [callId: string, object?: string])[]): LogEntry => ({
  ...{ kind: "assistant", ...place(at), text: "", thinking: [] },
  calls: calls.map(([callId, object]) => ({ callId, tool: "bash", args: {}, object, files: [] })),
});
const result = (at: number, callId: string, object: string): LogEntry => ({
  ...{ kind: "result", ...place(at), callId, object, tool: "bash", args: {}, status: "ok" },
  ...{ text: "", attachments: [], files: [], spans: [] },
});

it("is the one whose call has the result's object, or else the oldest that waits under its id", () => {
  const log = [
    answer(0, [["c", "one"], ["d"]]),
    result(1, "c", "one"),
    answer(2, [["d"], ["c", "two"]]),
    result(3, "c", "two"),
    result(4, "d", "three"),
    result(5, "d", "four"),
    result(6, "d", "five"),
  ];

  expect([...askedBy(log)]).toEqual([
    [1, 0],
    [3, 2],
    [4, 0],
    [5, 2],
  ]);
});

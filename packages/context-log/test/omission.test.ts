// Verifies: SSOT 4.4 (10): what leaves a prompt keeps its place, and takes the notes in it along.
import { describe, expect, it } from "vitest";
import { type LogEntry, logAfterOmission, plainCharsOf, viewAfterOmission } from "../src/index.ts";

const place = (at: number) => ({ at, step: at, turn: 0 });
const log: readonly LogEntry[] = [
  { kind: "user", ...place(0), text: "Begin.", attachments: [] },
  {
    kind: "assistant",
    ...place(1),
    text: "I look.",
    thinking: [],
    calls: [{ callId: "c", tool: "read", args: { path: "a" }, object: "t", files: [] }],
  },
  {
    ...{ kind: "result", ...place(2), callId: "c", object: "t", tool: "read", args: { path: "a" }, status: "ok" },
    ...{ text: "four", attachments: [], files: [], spans: [] },
  },
  { kind: "user", ...place(3), text: "Go on.", attachments: [] },
  { kind: "recalled", ...place(4), into: 2, object: "t", text: "four" },
];

describe("a log that entries leave", () => {
  it("keeps their places, what they weighed, and whose result it was", () => {
    const left = logAfterOmission(log, [[1, 3]]);

    expect(left.map(({ kind, at }) => `${at} ${kind}`)).toEqual([
      ...["0 user", "1 omitted", "2 omitted", "3 user", "4 omitted"],
    ]);
    expect(left[1]).toEqual({
      kind: "omitted",
      was: "assistant",
      ...place(1),
      chars: "I look.".length + '{"path":"a"}'.length,
    });
    expect(left[2]).toMatchObject({ was: "result", chars: 4, callId: "c", tool: "read", object: "t" });
    expect(left[4]).toMatchObject({ was: "note", chars: 0 });
    expect(left.map(plainCharsOf)).toEqual(log.map(plainCharsOf));
    expect(JSON.stringify(left)).not.toContain("four");
  });

  it("is the very same log where nothing leaves, and the old one stays as it was", () => {
    const view = { log, forms: new Map([["2", { form: "reference" as const }]]) };

    expect(viewAfterOmission(view, { recall: [] })).toEqual({ view, decision: { recall: [] } });
    const left = viewAfterOmission(view, { omit: [[1, 3]], release: ["t"] });
    expect(left.decision).toEqual({ release: ["t"] });
    expect(left.view.forms.size).toBe(0);
    expect(log[2]?.kind).toBe("result");
    expect(logAfterOmission(left.view.log, [[0, 3]]).map(({ kind }) => kind)).toEqual([
      ...["omitted", "omitted", "omitted", "user", "omitted"],
    ]);
  });
});

// Verifies: SSOT 4.4: what a decision brings back stands behind the log, and pins that it releases are told there.
import { expect, it } from "vitest";
import { appendedEntries, type ContextView, newestResult } from "../src/index.ts";

const place = (at: number) => ({ at, step: 1, turn: 0 });
const view = {
  ...{ step: 2, turn: 0 },
  log: [
    { kind: "user", ...place(0), text: "Begin.", attachments: [] },
    {
      ...{ kind: "result", ...place(1), callId: "c", object: "t", tool: "read", args: {}, status: "ok" },
      ...{ text: "old", attachments: [], files: [], spans: [] },
    },
  ],
  objects: new Map([
    ["t", { id: "t", alias: "t1", kind: "toolcall", text: "old" }],
    ["f", { id: "f", alias: "f1", kind: "file", path: "/a", text: "part", textless: "deleted" }],
    ["gone", { id: "gone", alias: "t2", kind: "toolcall", text: null, textless: "erased" }],
  ]),
} as unknown as ContextView;

it("names what is brought back by places behind the log, passes over what has no text, and tells of pins last", () => {
  const recall = ["t", "gone", "f"].map((object) => ({ object, into: 1 }));

  const appended = appendedEntries(view, { recall, release: ["t"] });

  expect(appended).toEqual([
    { kind: "recalled", at: 2, step: 2, turn: 0, object: "t", into: 1, text: "old" },
    { kind: "recalled", at: 3, step: 2, turn: 0, object: "f", into: 1, text: "part", path: "/a", textless: "deleted" },
    { kind: "released", at: 4, step: 2, turn: 0, into: 1, objects: ["t"] },
  ]);
  expect(newestResult(view.log)).toBe(1);
  expect(newestResult([])).toBe(-1);
});

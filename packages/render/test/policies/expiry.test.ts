// Verifies: SSOT 4.4 (5)
import type { LogEntry } from "@cm/context-log";
import { describe, expect, it } from "vitest";
import { contextLogConstants } from "../../src/policies/context-log/constants.ts";
import { expiryOf } from "../../src/policies/context-log/retention.ts";
import { partsOf } from "../../src/policies/log-index/log-parts.ts";
import type { Part } from "../../src/policies/log-index/part.ts";
import { lines } from "../support/script.ts";
import { viewOf } from "../support/views.ts";

type Happening = { readonly tool: string; readonly args: Record<string, string> } | "user";

/** A log with one event a step: a call with its result, or a user prompt. */
function logOf(events: readonly Happening[]): readonly LogEntry[] {
  const log: LogEntry[] = [];
  let turn = 0;
  events.forEach((event, step) => {
    if (event === "user") {
      turn += 1;
      log.push({ kind: "user", at: log.length, step, turn, text: "Next.", attachments: [] });
      return;
    }
    const shared = { step, turn, callId: `c${step}`, object: `c${step}`, files: [] };
    const call = { ...event, ...shared };
    log.push({ kind: "assistant", at: log.length, step, turn, text: "", thinking: [], calls: [call] });
    log.push({ kind: "result", at: log.length, ...call, status: "ok", text: lines(20), attachments: [], spans: [] });
  });
  return log;
}

const read: Happening = { tool: "read", args: { path: "a.ts" } };
const edit: Happening = { tool: "edit", args: { path: "a.ts", oldText: lines(20), newText: "x" } };
const other: Happening = { tool: "write", args: { path: "b.ts", content: "x" } };
const run: Happening = { tool: "bash", args: { command: `make ${lines(3)}` } };
const idle = (steps: number): readonly Happening[] => Array.from({ length: steps }, () => ({ tool: "x", args: {} }));

/** Since when the first part of a class is expired, seen from the end of the events. */
function expiryStep(events: readonly Happening[], which: Part["class"]): number {
  const log = partsOf(viewOf({ log: logOf(events), step: events.length }));
  const part = log.parts.find((candidate) => candidate.class === which && candidate.foldable);
  if (part === undefined) throw new Error(`No foldable part of class ${which}.`);
  return expiryOf(contextLogConstants())(log, part).expiredAt;
}

describe("a part is expired", () => {
  it.each<[string, readonly Happening[], Part["class"], number]>([
    ["output of a command: after 3 calls", [run, ...idle(3)], "brief", 3],
    ["result of an edit: 5 calls after the file's last touch", [edit, ...idle(2), read], "change", 8],
    ["a read that waits: after 60 calls in its turn", [read, ...idle(70)], "read", 60],
    [
      "a read that waits: once the next turn is 12 calls after the touch",
      [read, other, ...idle(2), "user", ...idle(12)],
      "read",
      12,
    ],
    [
      "a read of a turn that edited nothing: after 60 calls in the next turn, too",
      [read, ...idle(3), "user", other, ...idle(70)],
      "read",
      60,
    ],
    [
      "a read of such a turn: when a third turn begins",
      [read, ...idle(3), "user", ...idle(9), "user", ...idle(9)],
      "read",
      14,
    ],
    [
      "a read that waits: once a later turn is 8 calls after the touch",
      [read, "user", ...idle(1), "user", ...idle(9)],
      "read",
      8,
    ],
    [
      "a read that waits: when a turn begins later than that",
      [read, other, ...idle(19), "user", ...idle(9)],
      "read",
      21,
    ],
    ["a read whose file was edited: 4 calls after the edit", [read, edit, ...idle(9)], "read", 5],
    ["a read whose file was touched: counted from there", [read, ...idle(9), read, ...idle(70)], "read", 70],
    ["arguments of an edit: after 60 calls in their turn", [edit, ...idle(70)], "change-args", 60],
    ["arguments of an edit: after 30 in the next", [edit, ...idle(5), "user", ...idle(30)], "change-args", 30],
    [
      "arguments of an edit: after 20 later, and when a turn begins later than that",
      [edit, "user", ...idle(24), "user", ...idle(9)],
      "change-args",
      26,
    ],
  ])("%s", (_, events, which, expected) => {
    expect(expiryStep(events, which)).toBe(expected);
  });
});

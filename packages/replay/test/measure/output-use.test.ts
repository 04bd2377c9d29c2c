// Verifies: of what a recording's requests carried, which outputs an answer used last when.
import { createMemoryStore } from "@cm/object-model";
import type { RecordedEvent, Recording } from "@cm/recordings";
import { describe, expect, it } from "vitest";
import { generatedContent } from "../../src/generate/index.ts";
import { limits, namedPolicies, outputUse, replayResult } from "../../src/index.ts";

const user = (text: string): RecordedEvent => ({ kind: "user", text, attachments: [] });
const answer = (text: string, ...calls: readonly { id: string; name: string; args: object }[]): RecordedEvent => ({
  ...{ kind: "assistant", text, thinking: [] },
  calls: calls.map(({ args, ...call }) => ({ ...call, args: { ...args } })),
});
const result = (callId: string, text: string): RecordedEvent => ({
  ...{ kind: "result", callId, tool: "read", text, failed: false, attachments: [] },
});
const read = (id: string, path: string) => answer("", { id, name: "read", args: { path } });

const alpha = "export const alphaValue = 1;";
const dull = "nothing of it is known.";
const edited: readonly RecordedEvent[] = [
  user("Go."),
  read("1", "a.ts"),
  result("1", alpha),
  read("2", "b.ts"),
  result("2", dull),
  answer("", { id: "3", name: "edit", args: { path: "a.ts", oldText: alpha, newText: "gone" } }),
  result("3", "ok."),
  answer("Done."),
];

describe("the use of outputs", () => {
  it("ends with the edit of a line that an output showed; what nothing used counts from its second request on", () => {
    const { sentChars: _sent, ...use } = outputUse({ events: edited });

    expect(use).toEqual({
      // The first stood in three requests, the second in two, the third in the last.
      outputChars: 3 * alpha.length + 2 * dull.length + 3,
      unusedChars: alpha.length + dull.length,
      ...{ outputs: 3, neverUsed: 2 },
      heaviest: [
        { tool: "read", target: "a.ts", chars: alpha.length, requests: 1 },
        { tool: "read", target: "b.ts", chars: dull.length, requests: 1 },
      ],
    });
  });

  it("is that of the newest output that told a name, unless it had been said before", () => {
    const events = (said: string) => [
      ...[user(said), read("1", "a.ts"), result("1", alpha), read("2", "a.ts"), result("2", alpha)],
      ...[answer("See alphaValue."), user("More."), answer("No.")],
    ];

    expect(outputUse({ events: events("Go.") })).toMatchObject({ neverUsed: 1, unusedChars: 3 * alpha.length });
    expect(outputUse({ events: events("What is alphaValue?") })).toMatchObject({ neverUsed: 2 });
  });

  it("is one of long lines that an answer copies", () => {
    const line = "this one long line is said again";
    const events = [user("Go."), read("1", "a"), result("1", `   7→${line}`), answer(`Look:\n${line}`), answer("No.")];

    expect(outputUse({ events })).toMatchObject({ neverUsed: 0, unusedChars: line.length + 5 });
  });

  it("shows of calls what it is allowed to, before they are cut", () => {
    const long = { id: "1", name: "bash", args: { command: `${"x".repeat(limits.targetCharsMax)} password` } };
    const events = [user("Go."), answer("", long), result("1", "out"), answer("A."), answer("B.")];
    const shown = (text: string) => text.replace(/x+ password/, "hidden");

    expect(outputUse({ events }, { shown }).heaviest).toMatchObject([{ target: "hidden" }]);
  });

  it("is measured against what the plain conversation sends", async () => {
    const recording: Recording = {
      ...generatedContent({ seed: 3, calls: 40 }),
      format: "pi",
      id: "g",
      skippedLines: 0,
    };
    const { calls } = await replayResult(recording, {
      policy: { name: "plain", policy: namedPolicies.plain },
      pricing: { name: "p", prices: { read: 0.1, write: 1.25 } },
      place: { store: createMemoryStore(), kind: "memory" },
    });

    const { sentChars, outputChars, unusedChars } = outputUse(recording);

    expect(sentChars).toBe(calls.reduce((sum, { plainSentChars }) => sum + plainSentChars, 0));
    expect(outputChars).toBeLessThan(sentChars);
    expect(unusedChars).toBeGreaterThan(0);
    expect(unusedChars).toBeLessThan(outputChars);
  });

  it("names the heaviest alone", () => {
    const events = [user("Go.")];
    for (let at = 0; at < 3 * limits.unusedOutputsTold; at += 1)
      events.push(read(`${at}`, `f${at}`), result(`${at}`, "dull ".repeat(1 + at)));
    events.push(answer("End."), answer("End."));

    const { heaviest } = outputUse({ events });

    expect(heaviest).toHaveLength(limits.unusedOutputsTold);
    const weights = heaviest.map(({ chars, requests }) => chars * requests);
    expect(weights).toEqual(weights.toSorted((a, b) => b - a));
  });
});

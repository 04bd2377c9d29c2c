// Verifies: a session is told of each change once, also of one that is over, by places in its log.
import type { Amendment, LogEntry } from "@cm/context-log";
import { describe, expect, it } from "vitest";
import { AnnouncedAmendments } from "../../src/others/announced-amendments.ts";
import type { ExtensionChanges } from "../../src/others/extension-changes.ts";
import type { PiMessage } from "../../src/pi/pi-types.ts";
import { answerMessage, call, itemsIn, resultMessage, text, userMessage } from "../support/items.ts";

const items = itemsIn([
  userMessage("go", 1),
  answerMessage([text("I look"), call("c1", { path: "a" }), call("c2", { path: "b" })]),
  resultMessage("c1", "one"),
  userMessage("and on", 5),
]);
/** A note of ours at its start, and a call whose result Pi never got. */
const log = [
  { kind: "resumed", at: 0 },
  { kind: "user", at: 1, text: "go" },
  { kind: "assistant", at: 2 },
  { kind: "result", at: 3, callId: "c1", text: "one" },
  { kind: "result", at: 4, callId: "c2", text: null },
  { kind: "user", at: 5, text: "and on" },
] as unknown as readonly LogEntry[];

const workWith = (...changed: readonly (readonly [string, PiMessage | null])[]): ExtensionChanges => ({
  ...{ changed: new Map(changed), inserted: [] },
});

async function toldOf(told: AnnouncedAmendments, work: ExtensionChanges): Promise<readonly Amendment[]> {
  const said: Amendment[] = [];
  await told.tell({ log, items, work }, async (news) => void said.push(...news));
  return said;
}

describe("a session", () => {
  it("is told once, by the place in its log", async () => {
    const told = new AnnouncedAmendments({ isNew: true });
    const work = workWith(["e2", resultMessage("c1", "[pruned]")], ["e3", userMessage("stop")]);

    expect(await toldOf(told, work)).toEqual([
      { at: 3, text: "[pruned]" },
      { at: 5, text: "stop" },
    ]);
    expect(await toldOf(told, work)).toEqual([]);
    expect(items.map((item) => told.isTold(item, work))).toEqual([true, true, true, true]);
  });

  it("is told that a change is over", async () => {
    const told = new AnnouncedAmendments({ isNew: true });
    await toldOf(told, workWith(["e2", resultMessage("c1", "[pruned]")]));

    expect(await toldOf(told, workWith())).toEqual([{ at: 3 }]);
    expect(await toldOf(told, workWith())).toEqual([]);
  });

  it("that was there before is told of everything, since it may know what is over by now", async () => {
    const told = new AnnouncedAmendments({ isNew: false });

    expect(await toldOf(told, workWith(["e0", userMessage("stop")]))).toEqual([
      { at: 1, text: "stop" },
      { at: 2 },
      { at: 3 },
      { at: 5 },
    ]);
    expect(await toldOf(told, workWith(["e0", null]))).toEqual([{ at: 1, text: "" }]);
  });

  it("gets the text of an answer with those arguments that are others now", async () => {
    const answer = answerMessage([text("I see"), call("c1", { path: "a" }), call("c2", { path: "[gone]" })]);

    expect(await toldOf(new AnnouncedAmendments({ isNew: true }), workWith(["e1", answer]))).toEqual([
      { at: 2, text: "I see", args: { 1: { path: "[gone]" } } },
    ]);
    expect(await toldOf(new AnnouncedAmendments({ isNew: true }), workWith(["e1", null]))).toEqual([
      { at: 2, text: "", args: { 0: {}, 1: {} } },
    ]);
  });

  it("is not taken for told where it could not be", async () => {
    const told = new AnnouncedAmendments({ isNew: true });
    const work = workWith(["e0", userMessage("stop")]);
    const failing = told.tell({ log, items, work }, () => Promise.reject(new Error("offline")));

    await expect(failing).rejects.toThrow("offline");
    expect(items[0] && told.isTold(items[0], work)).toBe(false);
    expect(await toldOf(told, work)).toEqual([{ at: 1, text: "stop" }]);
  });
});

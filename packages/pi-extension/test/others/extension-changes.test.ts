// Verifies: what others made of known messages is found, whatever they did to the list; where they did nothing there is
// nothing to tell.
import { describe, expect, it } from "vitest";
import { ExtensionChangeDetector, noExtensionChanges } from "../../src/others/extension-changes.ts";
import type { PiMessage } from "../../src/pi/pi-types.ts";
import { answerMessage, call, itemsIn, resultMessage, text, userMessage } from "../support/items.ts";

const branch: readonly PiMessage[] = [
  userMessage("go", 1),
  answerMessage([text("I look"), call("c1"), call("c2")], { timestamp: 2 }),
  resultMessage("c1", "one", { timestamp: 3 }),
  resultMessage("c2", "two", { timestamp: 4 }),
  userMessage("and on", 5),
  answerMessage([text("done")], { timestamp: 6 }),
];
const items = itemsIn(branch);
const all = () => true;

function workOf(
  change: (messages: PiMessage[]) => PiMessage[],
  shows: (item: unknown, place: number) => boolean = all,
) {
  return new ExtensionChangeDetector().among(change(structuredClone([...branch])), items, shows);
}

const replaced = (place: number, message: PiMessage) => (messages: PiMessage[]) => messages.with(place, message);

describe("the work of others", () => {
  it("is none where they did nothing, or only what does not reach a model", () => {
    expect(workOf((messages) => messages)).toBe(noExtensionChanges);
    expect(workOf(replaced(2, resultMessage("c1", "one", { timestamp: 3, details: { a: 1 } })))).toBe(
      noExtensionChanges,
    );
  });

  it.each<readonly [string, number, PiMessage]>([
    ["a prompt", 0, userMessage("stop", 1)],
    ["an answer's text", 1, answerMessage([text("I see"), call("c1"), call("c2")], { timestamp: 2 })],
    ["a call's arguments", 1, answerMessage([text("I look"), call("c1", { path: "x" }), call("c2")], { timestamp: 2 })],
    ["an output", 2, resultMessage("c1", "[pruned]", { timestamp: 3 })],
    ["an output's failure", 2, resultMessage("c1", "one", { timestamp: 3, isError: true })],
    ["an output's blocks", 2, resultMessage("c1", [text("one"), text("")], { timestamp: 3 })],
    ["a time as well", 0, userMessage("stop", 99)],
  ])("is what became of %s", (_what, place, message) => {
    const { changed, inserted } = workOf(replaced(place, message));

    expect([...changed]).toEqual([[`e${place}`, message]]);
    expect(inserted).toEqual([]);
  });

  it("is nothing in the place of a message that was taken out", () => {
    const { changed } = workOf((messages) => messages.toSpliced(2, 1));

    expect([...changed]).toEqual([["e2", null]]);
  });

  it("leaves the result of a later call alone where one of the same id was taken out with its answer", () => {
    const turn = (n: number) => [
      answerMessage([call("call_0")], { timestamp: n }),
      resultMessage("call_0", `${n}`, { timestamp: n + 1 }),
    ];
    const repeating = itemsIn([...turn(1), ...turn(3)]);

    const { changed } = new ExtensionChangeDetector().among(turn(3), repeating, all);

    expect([...changed.keys()]).toEqual(["e0", "e1"]);
  });

  it("is found in outputs that were built anew", () => {
    const { changed } = workOf(replaced(2, resultMessage("c1", "[pruned]", { timestamp: 99 })));

    expect([...changed.keys()]).toEqual(["e2"]);
    expect(changed.get("e2")).toMatchObject({ content: [text("[pruned]")] });
  });

  it("is found where everything but one message was replaced by a summary", () => {
    const summary = userMessage("summary", 50);

    const { changed, inserted } = workOf((messages) => [summary, ...messages.slice(4)]);

    expect([...changed.keys()]).toEqual(["e0", "e1", "e2", "e3"]);
    expect(new Set(changed.values())).toEqual(new Set([null]));
    expect(inserted).toEqual([{ after: -1, message: summary }]);
  });

  it("says behind what something was put in", () => {
    const note = userMessage("note", 60);

    for (const after of [0, 3, 5]) {
      expect(workOf((messages) => messages.toSpliced(after + 1, 0, note)).inserted).toEqual([{ after, message: note }]);
    }
  });

  it("leaves messages alone that were moved, or stand behind much that is new", () => {
    const notes = Array.from({ length: 40 }, (_, n) => userMessage(`note ${n}`, 100 + n));

    expect(workOf((messages) => [...messages.slice(4), ...messages.slice(0, 4)]).changed.size).toBe(0);
    expect(workOf((messages) => [...notes, ...messages]).changed.size).toBe(0);
    expect(workOf((messages) => [...notes, ...messages]).inserted).toHaveLength(40);
  });

  it("does not take for gone what Pi itself does not show", () => {
    const { changed } = workOf(
      (messages) => messages.slice(4),
      (_item, place) => place >= 4,
    );

    expect(changed.size).toBe(0);
  });

  it("stays the same object as long as it is the same", () => {
    const watch = new ExtensionChangeDetector();
    const changed = () =>
      watch.among(
        replaced(2, resultMessage("c1", "[pruned]", { timestamp: 3 }))(structuredClone([...branch])),
        items,
        all,
      );

    const [first, second] = [changed(), changed()];

    expect(second.changed.get("e2")).toBe(first.changed.get("e2"));
  });

  it("is found in messages of any shape", () => {
    const strange = { role: "toolResult", toolCallId: "c1", timestamp: 3 } as never;

    expect([...workOf(replaced(2, strange)).changed]).toEqual([["e2", strange]]);
  });
});

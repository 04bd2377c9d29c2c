// Verifies: reference lineage "display messages are the AG-UI event stream folded"; seed "display_messages: Compressed protocol events".
import { EventType } from "@ag-ui/core";
import { EventSchema } from "@ag-ui/core/schemas";
import { createRandom, type Random } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { type DisplayEvent, foldDisplay, usageSnapshot } from "../src/index.ts";

const text = (messageId: string, ...deltas: readonly string[]): DisplayEvent[] => [
  { type: EventType.TEXT_MESSAGE_START, messageId, role: "assistant" },
  ...deltas.map((delta): DisplayEvent => ({ type: EventType.TEXT_MESSAGE_CONTENT, messageId, delta })),
  { type: EventType.TEXT_MESSAGE_END, messageId },
];
const call = (toolCallId: string, ...deltas: readonly string[]): DisplayEvent[] => [
  { type: EventType.TOOL_CALL_START, toolCallId, toolCallName: "read", parentMessageId: "m1" },
  ...deltas.map((delta): DisplayEvent => ({ type: EventType.TOOL_CALL_ARGS, toolCallId, delta })),
  { type: EventType.TOOL_CALL_END, toolCallId },
];
const reasoning = (messageId: string, ...deltas: readonly string[]): DisplayEvent[] => [
  { type: EventType.REASONING_START, messageId },
  { type: EventType.REASONING_MESSAGE_START, messageId, role: "reasoning" },
  ...deltas.map((delta): DisplayEvent => ({ type: EventType.REASONING_MESSAGE_CONTENT, messageId, delta })),
  { type: EventType.REASONING_MESSAGE_END, messageId },
  { type: EventType.REASONING_END, messageId },
];
const custom = (name: string, value: unknown): DisplayEvent => ({ type: EventType.CUSTOM, name, value });
const result = (toolCallId: string): DisplayEvent => ({
  type: EventType.TOOL_CALL_RESULT,
  messageId: `r-${toolCallId}`,
  toolCallId,
  content: "text",
});
const inRun = (...events: readonly DisplayEvent[]): DisplayEvent[] => [
  { type: EventType.RUN_STARTED, threadId: "t", runId: "r" },
  { type: EventType.STEP_STARTED, stepName: "s" },
  ...events,
  { type: EventType.STEP_FINISHED, stepName: "s" },
  { type: EventType.RUN_FINISHED, threadId: "t", runId: "r" },
];

describe("the events of a run, folded", () => {
  it("have one chunk for each text, tool call and reasoning, keep results and custom events, and no lifecycle", () => {
    const folded = foldDisplay(
      inRun(
        ...reasoning("t1", "Hm", "."),
        ...text("m1", "Hel", "lo", ""),
        ...call("c1", '{"a"', ":1}"),
        result("c1"),
        custom("note", { n: 1 }),
      ),
    );

    expect(folded).toEqual([
      { type: "REASONING_MESSAGE_CHUNK", messageId: "t1", delta: "Hm." },
      { type: "TEXT_MESSAGE_CHUNK", messageId: "m1", role: "assistant", delta: "Hello" },
      { type: "TOOL_CALL_CHUNK", toolCallId: "c1", toolCallName: "read", parentMessageId: "m1", delta: '{"a":1}' },
      result("c1"),
      custom("note", { n: 1 }),
    ]);
  });

  it("keep the last snapshot of the usage, at the very end", () => {
    const folded = foldDisplay([
      custom(usageSnapshot, 1),
      ...text("m1", "a"),
      custom(usageSnapshot, 2),
      custom("other", usageSnapshot),
      ...text("m2", "b"),
    ]);

    expect(folded.map((event) => ("value" in event ? event.value : event.type))).toEqual([
      "TEXT_MESSAGE_CHUNK",
      usageSnapshot,
      "TEXT_MESSAGE_CHUNK",
      2,
    ]);
  });

  it("have what never ended behind all others, and what never began under its id", () => {
    const folded = foldDisplay([
      ...text("m1", "cut").slice(0, -1),
      ...call("c1", "{").slice(0, -1),
      ...text("m2", "whole"),
      { type: EventType.TEXT_MESSAGE_CONTENT, messageId: "m3", delta: "no start" },
      { type: EventType.TEXT_MESSAGE_END, messageId: "m4" },
      custom(usageSnapshot, 1),
    ]);

    expect(
      folded.map((event) => [event.type, "delta" in event ? event.delta : "value" in event ? event.value : ""]),
    ).toEqual([
      ["TEXT_MESSAGE_CHUNK", "whole"],
      ["TEXT_MESSAGE_CHUNK", "cut"],
      ["TOOL_CALL_CHUNK", "{"],
      ["TEXT_MESSAGE_CHUNK", "no start"],
      ["CUSTOM", 1],
    ]);
  });

  it("keep streams apart that came at the same time", () => {
    const [one, two] = [text("m1", "a", "b"), text("m2", "x", "y")];

    const folded = foldDisplay(one.flatMap((event, place) => [event, two[place] as DisplayEvent]));

    expect(folded).toEqual([
      { type: "TEXT_MESSAGE_CHUNK", messageId: "m1", role: "assistant", delta: "ab" },
      { type: "TEXT_MESSAGE_CHUNK", messageId: "m2", role: "assistant", delta: "xy" },
    ]);
  });

  it("take chunks of others as they come", () => {
    const chunk = (delta: string, messageId?: string): DisplayEvent => ({
      type: EventType.TEXT_MESSAGE_CHUNK,
      delta,
      ...(messageId === undefined ? {} : { messageId }),
    });

    const folded = foldDisplay([chunk("a", "m1"), chunk("b"), chunk("c", "m1"), chunk("d", "m2")]);

    expect(folded).toEqual([chunk("abc", "m1"), chunk("d", "m2")]);
  });

  it("change nothing when they are folded again, lose no text, and are events of the protocol", () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const events = randomEvents(createRandom(seed));

      const folded = foldDisplay(events);

      expect(foldDisplay(folded)).toEqual(folded);
      expect(textsById(folded)).toEqual(textsById(events));
      for (const event of folded) expect(EventSchema.safeParse(event).error).toBeUndefined();
    }
  });
});

/** Streams in any order, cut anywhere, interleaved, with ids that come again. */
function randomEvents(random: Random): DisplayEvent[] {
  const deltas = () => random.some(4, () => random.pick(["a", "b ", "é", "\u{1f600}"]));
  const streams = Array.from({ length: 1 + random.below(6) }, (_, n): DisplayEvent[] => {
    const id = `i${random.chance(0.2) ? 0 : n}`;
    const stream = random.pick([
      () => text(id, ...deltas()),
      () => call(id, ...deltas()),
      () => reasoning(id, ...deltas()),
      () => [custom(usageSnapshot, n)],
      () => inRun(result(id)),
    ])();
    return random.chance(0.2) ? stream.slice(0, random.below(stream.length)) : stream;
  });
  const events: DisplayEvent[] = [];
  while (streams.some((stream) => stream.length > 0)) {
    const stream = random.pick(streams.filter(({ length }) => length > 0));
    events.push(...stream.splice(0, random.chance(0.7) ? stream.length : 1));
  }
  return events;
}

/** All text of each stream; pieces of one come in order. */
function textsById(events: readonly DisplayEvent[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const event of events) {
    if (!("delta" in event) || typeof event.delta !== "string" || event.delta === "") continue;
    const id = "toolCallId" in event ? event.toolCallId : "messageId" in event ? event.messageId : "";
    const key = `${event.type.slice(0, 4)} ${id}`;
    texts.set(key, `${texts.get(key) ?? ""}${event.delta}`);
  }
  return texts;
}

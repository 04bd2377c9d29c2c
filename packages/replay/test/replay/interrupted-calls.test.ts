// Verifies: a call without a result in its recording is interrupted, as harnesses say it (SSOT 8, "step").
import { defaultPrices, type RenderedPrompt } from "@cm/context-log";
import { createMemoryStore } from "@cm/object-model";
import type { RecordedEvent, Recording } from "@cm/recordings";
import { layouts, messageContent } from "@cm/render";
import { beforeAll, describe, expect, it } from "vitest";
import { replayRecording } from "../../src/replay-recording.ts";

const long = "a text that was to be written\n".repeat(200);
const user = (text: string): RecordedEvent => ({ kind: "user", text, attachments: [] });
const answer = (id: string, name: string, args: Record<string, string>): RecordedEvent => ({
  kind: "assistant",
  text: "",
  thinking: [],
  calls: [{ id, name, args }],
});
const result = (callId: string): RecordedEvent => ({
  kind: "result",
  callId,
  tool: "bash",
  text: `output of ${callId}`,
  failed: false,
  attachments: [],
});

const search = { id: "search", name: "web_search", args: { query: "q" }, isOfProvider: true } as const;

const events: readonly RecordedEvent[] = [
  user("begin"),
  answer("broken", "write", { path: "a.ts", content: long }),
  user("go on"),
  { kind: "assistant", text: "", thinking: [], calls: [search] },
  answer("late", "bash", { command: "make" }),
  user("meanwhile"),
  result("late"),
  ...Array.from({ length: 80 }, (_, at) => [answer(`c${at}`, "bash", { command: "ls" }), result(`c${at}`)]).flat(),
];

describe("a call whose result the recording never has", () => {
  const prompts: RenderedPrompt[] = [];
  beforeAll(async () => {
    const recording: Recording = {
      ...{ format: "pi", id: "interrupted", cwd: "/", systemPrompt: "", events, skippedLines: 0, warnings: [] },
    };
    const dump = { add: (prompt: RenderedPrompt) => prompts.push(prompt) };
    const store = createMemoryStore();
    await replayRecording(recording, { store, layout: layouts.log, session: "s", prices: defaultPrices, dump });
  });
  const contents = (at: number): readonly string[] => prompts.at(at)?.messages.map(messageContent) ?? [];

  it("has a result that says so from the next request on", () => {
    expect(contents(1)).toContain("[cm: this call was interrupted; it may have run]");
    expect(contents(1).join()).toContain(JSON.stringify(long));
  });

  it("has an output that is not known, where the provider ran it", () => {
    const found = prompts.at(-1)?.messages.find(({ callId }) => callId === search.id);

    expect(found?.text).toBe("[cm: no output of this call is known]");
  });

  it("has arguments that fold like any others and can be shown again", () => {
    expect(contents(-1).join()).not.toContain(JSON.stringify(long));
    expect(contents(-1).join()).toMatch(/characters left out; cm_context show \S+\.input\]/);
  });

  it("is not one whose result comes behind the next prompt", () => {
    expect(contents(-1)).toContain("output of late");
    expect(contents(-1).filter((text) => text.includes("interrupted"))).toHaveLength(1);
  });
});

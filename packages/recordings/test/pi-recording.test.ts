import { describe, expect, it } from "vitest";
import { readRecording } from "../src/index.ts";
import { jsonl, judged, recordedFiles } from "./recorded-file.ts";

const files = recordedFiles();
const pixel = "iVBORw0KGgo=";
const timestamp = "2026-02-16T10:21:00.000Z";
const text = (...texts: readonly string[]) => texts.map((part) => ({ type: "text", text: part }));
const message = (fields: object, place: object = {}) => ({ type: "message", timestamp, ...place, message: fields });

const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, cost: { total: 5 } };
const version1 = jsonl(
  { type: "session", id: "v1-session", timestamp, cwd: "/home/dev/pi" },
  message({ role: "user", content: [...text("one", "two"), { type: "image", data: pixel, mimeType: "image/png" }] }),
  { type: "model_change", timestamp, provider: "anthropic", modelId: "m" },
  message({ role: "assistant", content: [], stopReason: "aborted" }),
  message({
    role: "assistant",
    content: [
      { type: "thinking", thinking: "hm", thinkingSignature: "sig" },
      ...text("reading"),
      { type: "toolCall", id: "c1", name: "read", arguments: { path: "a.ts" } },
      { type: "toolCall", id: "c2", name: "bash", arguments: { command: "ls" } },
    ],
    usage,
    model: "claude",
    stopReason: "toolUse",
  }),
  message({ role: "toolResult", toolCallId: "c1", toolName: "read", content: text("export {}"), isError: false }),
  message({ role: "toolResult", toolCallId: "c2", content: text("no", "such"), isError: true }),
  message({ role: "hookMessage", content: "from a hook" }),
);

describe("a Pi recording of version 1", () => {
  it("has its events in file order, aborted calls included", async () => {
    const recording = await readRecording(await files.write("v1.jsonl", version1));

    expect(recording).toMatchObject({
      format: "pi",
      id: "v1-session",
      cwd: "/home/dev/pi",
      systemPrompt: "",
      skippedLines: 0,
      warnings: [],
    });
    expect(judged(recording.events)).toEqual([
      ["user", "one\ntwo", ""],
      ["assistant", "", ""],
      ["assistant", "reading", '{"path":"a.ts"}{"command":"ls"}'],
      ["result", "export {}", ""],
      ["result", "no\nsuch", ""],
    ]);
  });

  it("keeps images, thinking, usage, model and times", async () => {
    const { events } = await readRecording(await files.write("v1.jsonl", version1));

    const at = new Date(timestamp);
    expect(events[0]).toMatchObject({
      attachments: [{ mime: "image/png", data: new Uint8Array(Buffer.from(pixel, "base64")) }],
    });
    expect(events[1]).toEqual({ kind: "assistant", text: "", thinking: [], calls: [], stopReason: "aborted", at });
    expect(events[2]).toMatchObject({
      thinking: [{ text: "hm", signature: "sig" }],
      usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
      model: "claude",
      stopReason: "toolUse",
    });
  });

  it("names the tool of a result by its call where the result does not", async () => {
    const { events } = await readRecording(await files.write("v1.jsonl", version1));

    expect(events.slice(3)).toMatchObject([
      { callId: "c1", tool: "read", failed: false },
      { callId: "c2", tool: "bash", failed: true },
    ]);
  });
});

const place = (id: string, parentId: string | null) => ({ id, parentId });
const version3 = jsonl(
  { type: "session", version: 3, id: "v3-session", timestamp, cwd: "/home/dev/pi" },
  { type: "session_init", ...place("i", null), timestamp, systemPrompt: "be good", task: "t", tools: [] },
  message({ role: "user", content: "start" }, place("a", "i")),
  message({ role: "assistant", content: text("left branch") }, place("b", "a")),
  message({ role: "assistant", content: text("right branch") }, place("c", "a")),
  { type: "custom_message", ...place("d", "c"), timestamp, customType: "x", content: "injected", display: false },
  { type: "branch_summary", ...place("e", "d"), timestamp, fromId: "b", summary: "tried left" },
  { type: "compaction", ...place("f", "e"), timestamp, summary: "so far", firstKeptEntryId: "e", tokensBefore: 9 },
  message({ role: "bashExecution", command: "ls", output: "a.ts" }, place("g", "f")),
  message({ role: "bashExecution", command: "pwd", output: "/", excludeFromContext: true }, place("h", "g")),
  {
    type: "message",
    isSidechain: true,
    ...place("j", "h"),
    timestamp,
    message: { role: "user", content: "a side chain" },
  },
  message({ role: "assistant", content: text("end") }, place("k", "h")),
);

describe("a Pi recording of version 3", () => {
  it("has all branches in file order, without side chains", async () => {
    const recording = await readRecording(await files.write("v3.jsonl", version3));

    expect(recording.systemPrompt).toBe("be good");
    expect(judged(recording.events).map(([kind, said]) => `${kind}: ${said}`)).toEqual([
      "user: start",
      "assistant: left branch",
      "assistant: right branch",
      "assistant: end",
    ]);
  });

  it("has, along the active path, what was put into the context there as user text", async () => {
    const recording = await readRecording(await files.write("v3.jsonl", version3), { activePath: true });

    expect(recording.systemPrompt).toBe("be good");
    expect(judged(recording.events).map(([kind, said]) => `${kind}: ${said}`)).toEqual([
      "user: start",
      "assistant: right branch",
      "user: injected",
      "user: tried left",
      "user: so far",
      "user: Ran `ls`\na.ts",
      "assistant: end",
    ]);
  });

  it("leaves out images that the file only refers to, and says so", async () => {
    const image = (data: string) => ({ type: "image", data, mimeType: "image/png" });
    const content = [image(`blob:sha256:${"0".repeat(64)}`), image(pixel), image("not base64!")];
    const file = await files.write(
      "images.jsonl",
      jsonl({ type: "session", id: "x" }, message({ role: "user", content })),
    );

    const { events, warnings } = await readRecording(file);

    expect(events).toMatchObject([{ kind: "user", text: "", attachments: [{ mime: "image/png" }] }]);
    expect(warnings).toEqual(["2 images are not in the recording and left out."]);
  });

  it("mends parts with missing or odd fields, and passes over what is of no known kind or role", async () => {
    const content = [
      ...text("one"),
      { type: "text" },
      { type: "toolCall", name: "read" },
      { type: "toolCall", id: "c", name: "read", arguments: "[1]" },
      { type: "thinking", thinking: 5, thinkingSignature: 6 },
      { type: "redactedThinking", data: "enc" },
      { type: "video", url: "u" },
      null,
      "bare",
    ];
    const messages = [
      message({ role: "developer", content: "x" }),
      message({ role: "user", content: 5 }),
      message({ role: "assistant", content, usage: { input: "many" }, model: 5 }),
      message({ role: "user", content: null }),
    ];
    const file = await files.write("odd-parts.jsonl", jsonl({ type: "session", id: "x" }, ...messages));

    const { events } = await readRecording(file);

    const at = new Date(timestamp);
    expect(events).toEqual([
      {
        ...{ kind: "assistant", text: "one\n", at },
        thinking: [{ text: "" }, { text: "", signature: "enc", redacted: true }],
        calls: [
          { id: "", name: "read", args: {} },
          { id: "c", name: "read", args: { value: "[1]" } },
        ],
      },
      { kind: "user", text: "", attachments: [], at },
    ]);
  });

  it("is read on without its header, named after its file", async () => {
    const file = await files.write("cut-head.jsonl", version3.slice(20));

    const recording = await readRecording(file);

    expect(recording.id).toMatch(/^[0-9a-f]{64}$/);
    expect(recording.events).toHaveLength(4);
    expect(recording.warnings).toEqual([
      "1 bad line was skipped (1).",
      "The session file has oddities: no-header in line 1.",
    ]);
  });

  it("keeps lone surrogates and own members called __proto__ as they stand", async () => {
    const call = `{"type":"toolCall","id":"c","name":"edit","arguments":{"__proto__":{"a":1},"text":"\\ud800"}}`;
    const line = `{"type":"message","message":{"role":"assistant","content":[{"type":"text","text":"\\udfff"},${call}]}}\n`;

    const { events } = await readRecording(await files.write("odd.jsonl", jsonl({ type: "session", id: "x" }) + line));

    expect(judged(events)).toEqual([["assistant", "\udfff", '{"__proto__":{"a":1},"text":"\\ud800"}']]);
    expect({}).not.toHaveProperty("a");
  });
});

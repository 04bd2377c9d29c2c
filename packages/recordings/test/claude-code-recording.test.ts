import { describe, expect, it } from "vitest";
import { readRecording } from "../src/index.ts";
import { jsonl, judged, recordedFiles } from "./recorded-file.ts";

const files = recordedFiles();
const timestamp = "2026-02-16T10:21:00.000Z";
const base = { sessionId: "cc-session", cwd: "/home/dev/cc", isSidechain: false, timestamp };
const at = new Date(timestamp);

function user(content: unknown, fields: object = {}): object {
  return { ...base, type: "user", message: { role: "user", content }, ...fields };
}

function assistant(id: string, content: readonly object[], fields: object = {}): object {
  const usage = { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 3, cache_creation_input_tokens: 4 };
  const message = { id, role: "assistant", model: "claude", content, usage, stop_reason: null };
  return { ...base, type: "assistant", message, ...fields };
}

const text = (said: string) => ({ type: "text", text: said });
const call = (id: string, name: string, input: object) => ({ type: "tool_use", id, name, input });
const result = (id: string, content: unknown, fields: object = {}) => ({
  type: "tool_result",
  tool_use_id: id,
  content,
  ...fields,
});
const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } };
const said = async (file: string, options = {}) =>
  judged((await readRecording(file, options)).events).map(([kind, spoken, args]) => `${kind}: ${spoken}${args}`);

const session = jsonl(
  { type: "summary", summary: "an older session", leafUuid: "x" },
  { type: "file-history-snapshot", messageId: "x", snapshot: {} },
  user("start"),
  assistant("m1", [{ type: "thinking", thinking: "hm", signature: "sig" }]),
  assistant("m1", [text("reading"), text("on")]),
  assistant("m1", [call("c1", "Read", { file_path: "a.ts" })]),
  user([result("c1", "export {}"), text("and more"), image]),
  { ...base, type: "progress", uuid: "p", data: {} },
  assistant("m1", [text("!"), call("c2", "Bash", { command: "ls" })]),
  user("from a sub-agent", { isSidechain: true }),
  user([result("c2", [text("no"), text("such"), image], { is_error: true })]),
  user([result("c0", "of a call that is not in the file")]),
  assistant("m2", [{ type: "redacted_thinking", data: "enc" }, text("done")]),
);

describe("a Claude Code recording", () => {
  it("merges the lines of a message and splits those of the user", async () => {
    const recording = await readRecording(await files.write("cc.jsonl", session));

    expect(recording).toMatchObject({ format: "claude-code", id: "cc-session", cwd: "/home/dev/cc", systemPrompt: "" });
    expect(recording.warnings).toEqual([]);
    expect(judged(recording.events)).toEqual([
      ["user", "start", ""],
      ["assistant", "reading\non!", '{"file_path":"a.ts"}{"command":"ls"}'],
      ["result", "export {}", ""],
      ["user", "and more", ""],
      ["result", "no\nsuch", ""],
      ["result", "of a call that is not in the file", ""],
      ["assistant", "done", ""],
    ]);
  });

  it("keeps calls, thinking, usage, model and times", async () => {
    const { events } = await readRecording(await files.write("cc.jsonl", session));

    expect(events[1]).toEqual({
      kind: "assistant",
      text: "reading\non!",
      thinking: [{ text: "hm", signature: "sig" }],
      calls: [
        { id: "c1", name: "Read", args: { file_path: "a.ts" } },
        { id: "c2", name: "Bash", args: { command: "ls" } },
      ],
      usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
      model: "claude",
      at,
    });
    expect(events[6]).toMatchObject({ thinking: [{ text: "", signature: "enc", redacted: true }] });
  });

  it("names the tool of a result by its call and keeps failures and images", async () => {
    const { events } = await readRecording(await files.write("cc.jsonl", session));

    const attachments = [{ mime: "image/png", data: new Uint8Array(Buffer.from("iVBORw0KGgo=", "base64")) }];
    expect(events[2]).toMatchObject({ callId: "c1", tool: "Read", failed: false, attachments: [] });
    expect(events[3]).toMatchObject({ kind: "user", attachments });
    expect(events[4]).toMatchObject({ callId: "c2", tool: "Bash", failed: true, attachments });
    expect(events[5]).toMatchObject({ callId: "c0", tool: undefined });
  });

  it("takes missing or odd fields as absent", async () => {
    const file = await files.write(
      "odd.jsonl",
      jsonl(
        user(null),
        user([{ type: "text" }, null, 5, { type: "document" }, { type: "tool_result" }], { timestamp: "yesterday" }),
        { type: "assistant", message: { role: "assistant", id: "m", content: [{ type: "tool_use" }], usage: 5 } },
        { type: "assistant", message: null },
        { type: "user", message: "bare" },
      ),
    );

    const { events } = await readRecording(file);

    expect(events).toEqual([
      { kind: "user", text: "", attachments: [], at },
      { kind: "user", text: "", attachments: [] },
      { kind: "result", callId: "", tool: undefined, text: "", failed: false, attachments: [] },
      { kind: "assistant", text: "", thinking: [], calls: [{ id: "", name: "", args: {} }] },
    ]);
  });

  it("takes whole tokens of what a file says of them", async () => {
    const usage = {
      input_tokens: 1.6,
      output_tokens: -2,
      cache_read_input_tokens: 1e308,
      cache_creation_input_tokens: 4,
    };
    const answer = { type: "assistant", message: { role: "assistant", id: "m", content: "Yes.", usage } };

    const { events } = await readRecording(await files.write("tokens.jsonl", jsonl(user("Ask."), answer)));

    expect(events[1]).toMatchObject({ usage: { input: 2, output: 0, cacheRead: 0, cacheWrite: 4 } });
  });

  it("says when an image stands in a message without text", async () => {
    const { events, warnings } = await readRecording(
      await files.write("image.jsonl", jsonl(user([image]), assistant("m", [text("nice")]))),
    );

    expect(events).toHaveLength(1);
    expect(warnings).toEqual(["1 image is not in the recording and left out."]);
  });

  it("keeps own members called __proto__ in arguments", async () => {
    const line = JSON.stringify(assistant("__proto__", [call("__proto__", "Edit", {})]));

    const file = await files.write("proto.jsonl", line.replace('"input":{}', '"input":{"__proto__":{"a":1}}'));

    expect(await said(file)).toEqual(['assistant: {"__proto__":{"a":1}}']);
    expect({}).not.toHaveProperty("a");
  });
});

const place = (uuid: string, parentUuid: string | null) => ({ uuid, parentUuid });

describe("the active path of a Claude Code recording", () => {
  it("leaves abandoned branches out and keeps parallel calls with all their results", async () => {
    const file = await files.write(
      "branches.jsonl",
      jsonl(
        user("start", place("1", null)),
        assistant("m0", [text("abandoned")], place("2", "1")),
        assistant("m1", [text("two at once")], place("3", "1")),
        assistant("m1", [call("c1", "Read", { n: 1 })], place("4", "3")),
        assistant("m1", [call("c2", "Read", { n: 2 })], place("5", "4")),
        user([result("c1", "first")], place("6", "4")),
        user([result("c2", "second")], place("7", "5")),
        { ...base, type: "progress", ...place("8", "7") },
        assistant("m2", [text("end")], place("9", "8")),
        user("sub-agent", { ...place("10", "9"), isSidechain: true }),
      ),
    );

    expect(await said(file, { activePath: true })).toEqual([
      "user: start",
      'assistant: two at once{"n":1}{"n":2}',
      "result: first",
      "result: second",
      "assistant: end",
    ]);
  });

  it("continues across compactions, also where the line that they name is missing", async () => {
    const compaction = (uuid: string, logicalParentUuid: string) => ({
      ...base,
      type: "system",
      subtype: "compact_boundary",
      uuid,
      parentUuid: null,
      logicalParentUuid,
    });
    const file = await files.write(
      "compacted.jsonl",
      jsonl(
        user("one", place("1", null)),
        user("abandoned", place("2", "1")),
        compaction("3", "1"),
        user("two", place("4", "3")),
        compaction("5", "never written"),
        user("three", place("6", "5")),
      ),
    );

    expect(await said(file, { activePath: true })).toEqual(["user: one", "user: two", "user: three"]);
  });

  it("ends in a cycle and begins below a missing parent", async () => {
    const cycle = await files.write("cycle.jsonl", jsonl(user("one", place("1", "2")), user("two", place("2", "1"))));
    const orphan = await files.write(
      "orphan.jsonl",
      jsonl(user("no", place("1", null)), user("yes", place("2", "lost"))),
    );

    expect(await said(cycle, { activePath: true })).toEqual(["user: one", "user: two"]);
    expect(await said(orphan, { activePath: true })).toEqual(["user: yes"]);
  });
});

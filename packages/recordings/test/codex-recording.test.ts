// Verifies: rollouts of Codex are read into the one shape of recordings, one event for each call of the model.
import { describe, expect, it } from "vitest";
import { readRecording } from "../src/index.ts";
import { jsonl, judged, recordedFiles } from "./recorded-file.ts";

const files = recordedFiles();
const at = new Date("2026-06-18T04:57:49.150Z");

const line = (type: string, payload: object) => ({ timestamp: at.toISOString(), type, payload });
const item = (type: string, fields: object) => line("response_item", { type, ...fields });
const event = (type: string, fields: object = {}) => line("event_msg", { type, ...fields });
const said = (role: string, text: string, ...more: object[]) =>
  item("message", { role, content: [{ type: role === "assistant" ? "output_text" : "input_text", text }, ...more] });
const prompt = (text: string) => [said("user", text), event("user_message", { message: text })];
const called = (id: string, cmd: string) =>
  item("function_call", { call_id: id, name: "exec_command", arguments: JSON.stringify({ cmd }) });
const printed = (id: string, output: unknown) => item("function_call_output", { call_id: id, output });
const tokens = (input: number, cached: number, output: number, total: number) =>
  event("token_count", {
    info: {
      last_token_usage: { input_tokens: input, cached_input_tokens: cached, output_tokens: output },
      total_token_usage: { total_tokens: total },
    },
  });
const ended = (code: number, text: string) =>
  `Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code ${code}\nOriginal token count: 2\nOutput:\n${text}`;

const head = [
  line("session_meta", { id: "thread-1", cwd: "/work", base_instructions: { text: "You are Codex." } }),
  said("developer", "No sandbox."),
  line("turn_context", { model: "gpt-5.5" }),
];
const pixel = "iVBORw0KGgo=";
const rollout = jsonl(
  ...head,
  said("user", "Look.", { type: "input_image", image_url: `data:image/png;base64,${pixel}` }),
  event("user_message"),
  event("token_count", { info: null }),
  item("reasoning", { summary: [{ type: "summary_text", text: "hm" }], encrypted_content: "sealed" }),
  event("agent_message", { message: "I look." }),
  said("assistant", "I look."),
  called("c1", "ls"),
  called("c2", "cat gone"),
  printed("c1", ended(0, "Exit code: 7 is in the text")),
  printed("c2", ended(1, "no such file")),
  tokens(100, 80, 5, 105),
  // The next call has no words of its own.
  item("custom_tool_call", { call_id: "c3", name: "apply_patch", input: "*** Begin Patch" }),
  item("custom_tool_call_output", { call_id: "c3", output: "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess." }),
  tokens(110, 100, 6, 221),
  tokens(110, 100, 6, 221),
  item("web_search_call", { status: "completed", action: { type: "search", query: "q" } }),
  said("assistant", "Done."),
  tokens(120, 110, 7, 348),
  item("unheard_of", {}),
);

describe("a rollout of Codex", () => {
  it("has one event for each call of the model, with what its tools printed after it", async () => {
    const recording = await readRecording(await files.write("rollout.jsonl", rollout));

    expect(recording).toMatchObject({
      ...{ format: "codex", id: "thread-1", cwd: "/work", systemPrompt: "You are Codex.\n\nNo sandbox." },
      warnings: ["1 item is of an unknown kind and left out."],
    });
    expect(judged(recording.events)).toEqual([
      ["user", "Look.", ""],
      ["assistant", "I look.", '{"cmd":"ls"}{"cmd":"cat gone"}'],
      ["result", ended(0, "Exit code: 7 is in the text"), ""],
      ["result", ended(1, "no such file"), ""],
      ["assistant", "", '{"input":"*** Begin Patch"}'],
      ["result", "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.", ""],
      ["assistant", "Done.", '{"type":"search","query":"q"}'],
    ]);
  });

  it("says of a search that the provider ran it, since no result of it follows", async () => {
    const { events } = await readRecording(await files.write("rollout.jsonl", rollout));

    const calls = events.flatMap((one) => (one.kind === "assistant" ? one.calls : []));
    expect(calls.filter(({ isOfProvider }) => isOfProvider).map(({ name }) => name)).toEqual(["web_search"]);
  });

  it("keeps images, thinking, tokens, model, times and how commands ended", async () => {
    const { events } = await readRecording(await files.write("rollout.jsonl", rollout));

    const answers = events.filter((one) => one.kind === "assistant");
    expect(events[0]).toMatchObject({
      attachments: [{ mime: "image/png", data: new Uint8Array(Buffer.from(pixel, "base64")) }],
      at,
    });
    expect(answers[0]).toMatchObject({ thinking: [{ text: "hm", signature: "sealed" }], model: "gpt-5.5", at });
    expect(answers.map(({ usage }) => usage)).toEqual([
      { input: 20, output: 5, cacheRead: 80, cacheWrite: 0 },
      { input: 10, output: 6, cacheRead: 100, cacheWrite: 0 },
      { input: 10, output: 7, cacheRead: 110, cacheWrite: 0 },
    ]);
    const spent = answers.map(({ usage }) => (usage?.input ?? 0) + (usage?.cacheRead ?? 0) + (usage?.output ?? 0));
    expect(spent.reduce((sum, one) => sum + one)).toBe(348);
    expect(events.flatMap((one) => (one.kind === "result" ? [[one.tool, one.failed]] : []))).toEqual([
      ["exec_command", false],
      ["exec_command", true],
      ["apply_patch", false],
    ]);
  });

  it.each([
    ["its parts", [{ type: "input_text", text: "one" }], "one", false],
    ["an object", { content: "one", success: false }, "one", true],
    ["JSON", '{"output":"one","metadata":{"exit_code":1}}', '{"output":"one","metadata":{"exit_code":1}}', true],
    ["a reason", "apply_patch verification failed: one", "apply_patch verification failed: one", true],
    ["nothing that is known", 7, "", false],
  ])("reads an output that is %s", async (_what, output, text, failed) => {
    const content = jsonl(...head, ...prompt("go"), called("c", "x"), printed("c", output));

    const { events } = await readRecording(await files.write("output.jsonl", content));

    expect(events.at(-1)).toMatchObject({ kind: "result", callId: "c", tool: "exec_command", text, failed });
  });

  it("tells calls apart by their results where no tokens are recorded, and knows an aborted one", async () => {
    const content = jsonl(
      ...[...head, ...prompt("go"), called("c1", "a"), printed("c1", ""), called("c2", "b"), printed("c2", "")],
      ...[event("turn_aborted", { reason: "interrupted" }), said("assistant", "again")],
    );

    const { events } = await readRecording(await files.write("no-tokens.jsonl", content));

    const answers = events.filter((one) => one.kind === "assistant");
    expect(answers.map(({ text, calls, stopReason }) => [text, calls.length, stopReason])).toEqual([
      ["", 1, undefined],
      ["", 1, "aborted"],
      ["again", 0, undefined],
    ]);
  });

  it("leaves out what was taken back, and has the summary, on the active path only", async () => {
    const content = jsonl(
      ...[...head, ...prompt("one"), said("assistant", "1"), tokens(9, 0, 1, 10)],
      ...[...prompt("two"), said("assistant", "2"), tokens(9, 0, 1, 20)],
      event("thread_rolled_back", { num_turns: 1 }),
      line("compacted", { message: "So far: one." }),
      ...[...prompt("three"), said("assistant", "3")],
    );
    const path = await files.write("back.jsonl", content);

    const all = await readRecording(path);
    const active = await readRecording(path, { activePath: true });

    expect(all.events.map(({ text }) => text)).toEqual(["one", "1", "two", "2", "three", "3"]);
    expect(active.events.map(({ text }) => text)).toEqual(["one", "1", "So far: one.", "three", "3"]);
  });

  it("keeps what a model wrote that is no JSON, and the id of a fork rather than its origin's", async () => {
    const call = item("function_call", { call_id: "c", name: "exec_command", arguments: "{cut" });
    const origin = line("session_meta", { id: "origin", cwd: "/else" });
    const content = jsonl(...head, origin, ...prompt("go"), call);

    const recording = await readRecording(await files.write("fork.jsonl", content));

    expect(recording).toMatchObject({ id: "thread-1", cwd: "/work" });
    expect(recording.events.at(-1)).toMatchObject({ calls: [{ id: "c", args: { input: "{cut" } }] });
  });
});

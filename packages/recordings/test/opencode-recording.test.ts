// Verifies: sessions of opencode, exported or in its storage folder, are read into the one shape of recordings.
import { mkdir, truncate, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { limits, readRecording } from "../src/index.ts";
import { judged, recordedFiles } from "./recorded-file.ts";

const files = recordedFiles();
const start = 1_780_000_000_000;
const at = (ms: number) => new Date(start + ms);
const pixel = "iVBORw0KGgo=";
const picture = { type: "file", mime: "image/png", url: `data:image/png;base64,${pixel}` };
const attached = [{ mime: "image/png", data: new Uint8Array(Buffer.from(pixel, "base64")) }];

const tokens = (input: number, output: number, read: number, more: object = {}) => ({
  ...{ input, output, reasoning: 2, cache: { read, write: 1 } },
  ...more,
});
const text = (said: string, more: object = {}) => ({ type: "text", text: said, ...more });
const begin = { type: "step-start", snapshot: "x" };
const finish = (reason: string, spent: object) => ({ type: "step-finish", reason, cost: 0, tokens: spent });
const tool = (callID: string, name: string, state: object) => ({ type: "tool", callID, tool: name, state });
const done = (input: object, output: string, more: object = {}) => ({
  ...{ status: "completed", input, output, time: { start: start + 20, end: start + 30 } },
  ...more,
});

const session = {
  ...{ id: "ses_1", projectID: "p", directory: "/work", title: "t", time: { created: start, updated: start } },
};
const user = (id: string, parts: readonly object[]) => ({
  info: { id, sessionID: "ses_1", role: "user", time: { created: start } },
  parts,
});
const assistant = (id: string, parts: readonly object[], more: object = {}) => ({
  info: {
    ...{ id, sessionID: "ses_1", role: "assistant", modelID: "claude", providerID: "a", time: { created: start + 5 } },
    ...{ tokens: tokens(7, 3, 0), ...more },
  },
  parts,
});

const messages = [
  user("msg_1", [text("Look."), text("unseen", { ignored: true }), picture]),
  assistant("msg_2", [
    begin,
    { type: "reasoning", text: "hm", time: { start: start + 10 } },
    text("I look."),
    tool("c1", "read", done({ filePath: "/work/a.ts" }, "export {}", { attachments: [picture] })),
    tool("c2", "bash", done({ command: "false" }, "no", { metadata: { exit: 1 } })),
    { type: "patch", hash: "x", files: [] },
    finish("tool-calls", tokens(10, 4, 100)),
    begin,
    tool("c3", "edit", { status: "error", input: {}, error: "not found", time: { start: start + 40 } }),
    finish("tool-calls", tokens(11, 5, 110, { total: 129 })),
    begin,
    text("Done."),
    finish("stop", tokens(12, 6, 120)),
  ]),
  user("msg_3", [{ type: "compaction", auto: false }]),
  assistant("msg_4", [begin, tool("c4", "bash", { status: "running", input: { command: "sleep" } })], {
    error: { name: "MessageAbortedError", data: {} },
  }),
];

const expected = [
  ["user", "Look.", ""],
  ["assistant", "I look.", '{"filePath":"/work/a.ts"}{"command":"false"}'],
  ["result", "export {}", ""],
  ["result", "no", ""],
  ["assistant", "", "{}"],
  ["result", "not found", ""],
  ["assistant", "Done.", ""],
  ["assistant", "", '{"command":"sleep"}'],
];

async function exported(value: object, name = "export.json"): Promise<string> {
  return files.write(name, JSON.stringify(value, null, 2));
}

/** The same session as its storage folder has it; the path is that of its description. */
async function stored(folder: string, ofSession: object): Promise<string> {
  const put = async (path: string, value: unknown) => {
    const file = files.path(`${folder}/${path}`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof value === "string" ? value : JSON.stringify(value, null, 2));
    return file;
  };
  for (const { info, parts } of messages) {
    await put(`message/ses_1/${info.id}.json`, info);
    for (const [place, part] of parts.entries()) {
      await put(`part/${info.id}/prt_${String(place).padStart(3, "0")}.json`, { id: `prt_${place}`, ...part });
    }
  }
  await put("message/ses_2/msg_9.json", { id: "msg_9", role: "user" });
  await put("message/ses_1/msg_5.json", "{cut");
  return put("session/p/ses_1.json", ofSession);
}

describe("a session of opencode", () => {
  it("is read from its export, each step as one call of the model", async () => {
    const recording = await readRecording(await exported({ info: session, messages }));

    expect(recording).toMatchObject({ format: "opencode", id: "ses_1", cwd: "/work", warnings: [] });
    expect(judged(recording.events)).toEqual(expected);
  });

  it("is the same from its storage folder, where a cut message is told", async () => {
    const whole = await readRecording(await exported({ info: session, messages }, "whole.json"));
    const recording = await readRecording(await stored("storage", session));

    expect(recording.events).toEqual(whole.events);
    expect(recording).toMatchObject({ id: "ses_1", warnings: ["1 message is unreadable and left out."] });
  });

  it("keeps images, thinking, tokens, model, times and what failed", async () => {
    const { events } = await readRecording(await exported({ info: session, messages }));

    const answers = events.filter((one) => one.kind === "assistant");
    const results = events.filter((one) => one.kind === "result");
    expect(events[0]).toEqual({ kind: "user", text: "Look.", attachments: attached, at: at(0) });
    expect(answers[0]).toMatchObject({ thinking: [{ text: "hm" }], model: "claude", at: at(10) });
    expect(answers.map(({ usage }) => usage)).toEqual([
      { input: 10, output: 4, cacheRead: 100, cacheWrite: 1 },
      { input: 11, output: 7, cacheRead: 110, cacheWrite: 1 },
      { input: 12, output: 6, cacheRead: 120, cacheWrite: 1 },
      { input: 7, output: 3, cacheRead: 0, cacheWrite: 1 },
    ]);
    expect(answers.map(({ stopReason }) => stopReason)).toEqual(["tool-calls", "tool-calls", "stop", "aborted"]);
    expect(results.map(({ tool, failed }) => [tool, failed])).toEqual([
      ["read", false],
      ["bash", true],
      ["edit", true],
    ]);
    expect(results[0]).toMatchObject({ callId: "c1", attachments: attached, at: at(30) });
  });

  it("leaves out what the user went back from, on the active path only", async () => {
    const path = await exported({ info: { ...session, revert: { messageID: "msg_2" } }, messages }, "revert.json");

    expect((await readRecording(path, { activePath: true })).events.map(({ text }) => text)).toEqual(["Look."]);
    expect((await readRecording(path)).events).toHaveLength(expected.length);
  });

  it("never leads to folders outside the storage", async () => {
    await stored("inner/storage", session);
    const path = await stored("inner/storage", { ...session, id: "../message/ses_1" });

    await expect(readRecording(path)).rejects.toMatchObject({ code: "recording/empty" });
  });

  it("is refused where its files together are too large, before they are read", async () => {
    const path = await stored("large/storage", session);
    const part = files.path("large/storage/part/msg_2/prt_900.json");
    await writeFile(part, "");
    await truncate(part, limits.documentBytesMax);

    await expect(readRecording(path)).rejects.toMatchObject({
      code: "recording/too-large",
      message: "The session of ses_1.json has more than 200000 files or 134217728 bytes; name a smaller one.",
    });
  });

  it("is read as far as its shapes go", async () => {
    const odd = [null, 1, { info: 1 }, { info: { role: "assistant" }, parts: [7, { type: "tool", state: "x" }] }];
    const path = await exported({ info: session, messages: [...odd, ...messages] }, "odd.json");

    const recording = await readRecording(path);

    expect(recording.events).toHaveLength(expected.length + 1);
    expect(recording.warnings).toEqual(["3 messages are unreadable and left out."]);
  });
});

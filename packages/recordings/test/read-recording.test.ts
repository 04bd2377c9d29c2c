// @module-tag long
import { readdirSync } from "node:fs";
import { mkdir, open, truncate } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isCmError } from "@cm/object-model";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readRecording } from "../src/index.ts";
import { jsonl, judged, recordedFiles } from "./recorded-file.ts";

const files = recordedFiles();
const pi = jsonl(
  { type: "session", version: 3, id: "s", cwd: "/w" },
  { type: "message", id: "a", parentId: null, message: { role: "user", content: "one" } },
  { type: "message", id: "b", parentId: "a", message: { role: "assistant", content: [{ type: "text", text: "two" }] } },
);
const claudeCode = jsonl(
  { type: "user", sessionId: "c", message: { role: "user", content: "one" } },
  { type: "assistant", message: { id: "m", content: [{ type: "tool_use", id: "t", name: "Read", input: { a: 1 } }] } },
);

const codex = jsonl(
  { type: "session_meta", payload: { id: "x" } },
  { type: "response_item", payload: { type: "message", role: "user", content: [{ type: "input_text", text: "one" }] } },
  { type: "response_item", payload: { type: "function_call", call_id: "t", name: "exec_command", arguments: "{}" } },
);

async function failure(path: string): Promise<unknown> {
  return readRecording(path).then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("what cannot be replayed", () => {
  const refused = async (path: string, code: string, message: string) => {
    const error = await failure(path);
    expect(error).toMatchObject({ code, message });
  };

  it("is a file that does not exist", async () => {
    await refused(files.path("gone.jsonl"), "recording/not-found", "gone.jsonl does not exist; check the path.");
    const file = await files.write("file", pi);
    await refused(join(file, "x.jsonl"), "recording/not-found", "x.jsonl does not exist; check the path.");
  });

  it("is a folder", async () => {
    await mkdir(files.path("sessions"));

    await refused(files.path("sessions"), "recording/unreadable", "sessions is a folder; name a session file in it.");
  });

  it("is an empty file, or one of blank lines", async () => {
    const message = (name: string) => `${name} is empty; name a session file with messages in it.`;

    await refused(await files.write("empty.jsonl", ""), "recording/empty", message("empty.jsonl"));
    await refused(await files.write("blank.jsonl", "\n \r\n"), "recording/empty", message("blank.jsonl"));
  });

  it("is a session without messages", async () => {
    const file = await files.write("header.jsonl", jsonl({ type: "session", version: 3, id: "s" }));

    await refused(
      file,
      "recording/empty",
      "header.jsonl is a session without messages; name one in which the agent has answered.",
    );
  });

  it.each([
    ["binary.png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0xff])],
    ["text.txt", "hello\nworld\n"],
    ["package.json", '{\n  "name": "x"\n}\n'],
    ["one-line.json", '{"name":"x"}'],
    ["list.json", "[1,2,3]"],
    ["garbage.bin", Buffer.alloc(100_000, "\u0000\n")],
  ])("is %s", async (name, content) => {
    const message = `${name} is not a session; name a session file of Pi, oh-my-pi, Claude Code or Codex (.jsonl), opencode (.json, opencode.db) or SWE-agent (.traj).`;

    await refused(await files.write(name, content), "recording/not-a-session", message);
  });

  it("is a file with a line of 100 MB, which is not read to its end", async () => {
    const file = await files.write("long.jsonl", pi);
    await truncate(file, 100 * 1024 * 1024);
    const before = process.memoryUsage().rss;

    await refused(
      file,
      "recording/line-too-long",
      "Line 4 of long.jsonl is longer than 33554432 bytes; name a session file, which has one entry on each line.",
    );

    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
  });

  it("is named without control characters and without its folder", async () => {
    const error = await failure(files.path("evil\u001b[2J\n.jsonl"));

    expect(error).toMatchObject({ message: "evil?[2J?.jsonl does not exist; check the path." });
  });

  it("leaves no file open", async () => {
    const file = await files.write("again.json", '{"a":1}\n'.repeat(200_000));

    const lowest = await nextDescriptor(file);
    for (let round = 0; round < 20; round += 1) await failure(file);

    expect(await nextDescriptor(file)).toBeLessThan(lowest + 10);
  });
});

/** Descriptors are given out lowest first: every leak pushes this one up. */
async function nextDescriptor(file: string): Promise<number> {
  const handle = await open(file);
  const { fd } = handle;
  await handle.close();
  return fd;
}

describe("a recording", () => {
  it("is told apart by content, not by name", async () => {
    expect((await readRecording(await files.write("cc-x.txt", pi))).format).toBe("pi");
    expect((await readRecording(await files.write("pi-x.png", claudeCode))).format).toBe("claude-code");
  });

  it("skips bad and cut lines and counts them in one warning", async () => {
    const bad = `garbage\n${claudeCode}[1]\n${claudeCode.split("\n")[0]?.slice(0, -5)}`;

    const recording = await readRecording(await files.write("bad.jsonl", bad));

    expect(recording.skippedLines).toBe(3);
    expect(recording.warnings).toEqual(["3 bad lines were skipped (1, 4, 5)."]);
    expect(recording.events).toHaveLength(2);
  });

  it("names a bounded number of bad lines", async () => {
    const recording = await readRecording(await files.write("worse.jsonl", `${pi}${"x\n".repeat(1000)}`));

    expect(recording.skippedLines).toBe(1000);
    expect(recording.warnings[0]).toMatch(/^1000 bad lines were skipped \(4, 5, .*, 23, \.\.\.\)\.$/);
  });

  it.each([
    ["019c-abc_DEF.1", /^019c-abc_DEF\.1$/],
    ["__proto__", /^__proto__$/],
    ["a/b:c", /^a-b-c-[0-9a-f]{16}$/],
    ["../../etc", /^etc-[0-9a-f]{16}$/],
    ["-rf", /^rf-[0-9a-f]{16}$/],
    ["x".repeat(101), /^x{83}-[0-9a-f]{16}$/],
    ["..", /^[0-9a-f]{64}$/],
    ["", /^[0-9a-f]{64}$/],
  ])("whose session is called %j has a fit id of its own", async (id, expected) => {
    const file = await files.write("id.jsonl", pi.replace('"id":"s"', `"id":${JSON.stringify(id)}`));

    expect((await readRecording(file)).id).toMatch(expected);
  });

  it("has different ids for sessions that only differ in what ids may not hold", async () => {
    const ids = ["a/b", "a:b", "a b"].map(async (id, index) => {
      const file = await files.write(`${index}.jsonl`, pi.replace('"id":"s"', `"id":"${id}"`));
      return (await readRecording(file)).id;
    });

    expect(new Set(await Promise.all(ids)).size).toBe(3);
  });

  it.each([
    ["pi", pi],
    ["claude-code", claudeCode],
    ["codex", codex],
  ])("of %s, cut at any byte, is read or refused with a code", async (_format, text) => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: text.length }), fc.nat({ max: text.length }), async (start, length) => {
        const file = await files.write("cut.jsonl", text.slice(start, start + length));

        for (const activePath of [false, true]) {
          const error = await readRecording(file, { activePath }).then(
            () => undefined,
            (caught: unknown) => caught,
          );
          expect(error === undefined || isCmError(error)).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });
});

/** A folder of recorded sessions, and a module whose `readSession` reads them by rules of its own. */
const { CM_CORPUS: corpus, CM_CORPUS_READER: reader } = process.env;
const sessions = corpus === undefined ? [] : readdirSync(corpus).filter((name) => name.endsWith(".jsonl"));

describe("another reader", () => {
  for (const name of sessions) {
    it(`reads the same events from ${name}`, async () => {
      const { readSession } = await import(pathToFileURL(reader ?? "").href);
      const expected = readSession(join(corpus ?? "", name)) as { kind: string; text: string; args: string }[];

      const recording = await readRecording(join(corpus ?? "", name));

      expect(judged(recording.events)).toEqual(expected.map(({ kind, text, args }) => [kind, text, args]));
      expect(recording.skippedLines).toBe(0);
    });
  }

  it("counts one call for each assistant event", async () => {
    const { events } = await readRecording(await files.write("calls.jsonl", claudeCode + claudeCode));

    expect(judged(events)).toEqual([
      ["user", "one", ""],
      ["assistant", "", '{"a":1}{"a":1}'],
      ["user", "one", ""],
    ]);
  });
});

// @module-tag process
// @module-tag long
// Verifies: bad input gives one clear sentence, status 2 and nothing half-written; single bad lines are counted.
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inFolder, run } from "../support/command.ts";

const good = [
  { type: "session", version: 3, id: "s1", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/p" },
  {
    type: "message",
    id: "a",
    parentId: null,
    timestamp: "2026-01-01T00:00:00.000Z",
    message: { role: "user", content: "hi" },
  },
  {
    type: "message",
    id: "b",
    parentId: "a",
    timestamp: "2026-01-01T00:00:01.000Z",
    message: { role: "assistant", content: [{ type: "text", text: "hello" }] },
  },
]
  .map((line) => JSON.stringify(line))
  .join("\n");

const cases: readonly (readonly [string, (folder: string) => string])[] = [
  ["a file that is not there", (folder) => join(folder, "nowhere.jsonl")],
  ["a folder", (folder) => made(folder, (path) => mkdirSync(path))],
  ["an empty file", (folder) => made(folder, (path) => writeFileSync(path, ""))],
  ["a file of other lines", (folder) => made(folder, (path) => writeFileSync(path, '{"a":1}\n{"b":2}\n'))],
  ["a file that is no text", (folder) => made(folder, (path) => writeFileSync(path, Buffer.alloc(4096, 0xfe)))],
  [
    "a session without a model call",
    (folder) => made(folder, (path) => writeFileSync(path, `${good.split("\n")[0]}\n`)),
  ],
  ["a line of 100 MB", (folder) => made(folder, writeLongLine)],
];

describe("replay of what cannot be replayed", () => {
  it.each(cases)("says in one sentence what is wrong with %s", async (_what, make) => {
    await inFolder((folder) => {
      const file = make(folder);

      const { status, stdout, stderr } = run(folder, "replay", file, "--out", "results");

      expect(status).toBe(2);
      expect(stdout).toBe("");
      expect(stderr.trim().split("\n")).toHaveLength(1);
      expect(stderr).not.toMatch(/\bat .*:\d+:\d+/);
      expect(existsSync(join(folder, "results"))).toBe(false);
    });
  });

  it("keeps nothing of good files when another one is bad", async () => {
    await inFolder((folder) => {
      writeFileSync(join(folder, "good.jsonl"), good);

      const { status } = run(folder, "replay", "good.jsonl", "nowhere.jsonl", "--out", "results");

      expect(status).toBe(2);
      expect(existsSync(join(folder, "results"))).toBe(false);
    });
  });

  it.each([
    [["replay", "good.jsonl", "--policy", "fast"]],
    [["replay", "good.jsonl", "--read", "cheap"]],
    [["replay", "good.jsonl", "--write", "-1"]],
    [["replay", "good.jsonl", "--store", "paper"]],
    [["replay", "good.jsonl", "--prices", "cheap"]],
    [["replay", "good.jsonl", "--lifetime", "long"]],
    [["replay", "--generated", "1"]],
    [["compare", "good.jsonl"]],
    [["replay", "good.jsonl", "--dump", "d.jsonl"]],
    [["replay", "good.jsonl", "--dump", "no/such/folder/d.jsonl", "--policy", "log"]],
    [["replay", "good.jsonl", "--out", "good.jsonl"]],
    [["replay"]],
    [["replya", "good.jsonl"]],
    [["check", "nowhere"]],
    [["check", "good.jsonl"]],
  ])("refuses %o", async (args) => {
    await inFolder((folder) => {
      writeFileSync(join(folder, "good.jsonl"), good);

      const { status, stdout } = run(folder, ...args);

      expect(status).toBe(2);
      expect(stdout).toBe("");
      expect(readdirSync(folder)).toEqual(["good.jsonl"]);
    });
  });
});

describe("replay of a damaged session", () => {
  it("skips bad and cut lines and counts them in one warning", async () => {
    await inFolder((folder) => {
      const [header, prompt, answer] = good.split("\n");
      writeFileSync(join(folder, "cut.jsonl"), [header, "not json", prompt, answer, '{"type":"mess'].join("\n"));

      const { status, stderr } = run(folder, "replay", "cut.jsonl", "--policy", "plain");

      expect(status).toBe(0);
      expect(stderr.split("\n").filter((line) => /\b2\b.*lines?/.test(line))).toHaveLength(1);
    });
  });
});

function made(folder: string, make: (path: string) => void): string {
  const path = join(folder, "input.jsonl");
  make(path);
  return path;
}

/** A hundred megabytes without a line's end, written in pieces. */
function writeLongLine(path: string): void {
  const file = openSync(path, "w");
  writeSync(file, `${good.split("\n")[0]}\n{"type":"message","text":"`);
  const piece = Buffer.alloc(1024 * 1024, 0x61);
  for (let count = 0; count < 100; count += 1) writeSync(file, piece);
  writeSync(file, '"}\n');
  closeSync(file);
}

// @module-tag process
// @module-tag long
// Verifies: bad input gives one clear sentence, status 2 and nothing half-written; single bad lines are counted.
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CommandResult, inFolder, run, runAll } from "../support/command.ts";

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

const refused: readonly (readonly string[])[] = [
  ["replay", "good.jsonl", "--policy", "fast"],
  ["replay", "good.jsonl", "--read", "cheap"],
  ["replay", "good.jsonl", "--write", "-1"],
  ["replay", "good.jsonl", "--store", "paper"],
  ["replay", "good.jsonl", "--prices", "cheap"],
  ["replay", "good.jsonl", "--lifetime", "long"],
  ["replay", "--generated", "1"],
  ["compare", "good.jsonl"],
  ["replay", "good.jsonl", "--dump", "d.jsonl"],
  ["replay", "good.jsonl", "--dump", "no/such/folder/d.jsonl", "--policy", "log"],
  ["replay", "good.jsonl", "--out", "good.jsonl"],
  ["replay"],
  ["replya", "good.jsonl"],
  ["check", "nowhere"],
  ["check", "good.jsonl"],
];

/** Runs a command line for each of some, in a folder of its own, and gives what it said and the folder. */
function ranIn(
  lines: readonly ((folder: string) => readonly string[])[],
): () => readonly (CommandResult & { readonly folder: string })[] {
  let ran: readonly (CommandResult & { readonly folder: string })[] = [];
  beforeAll(() => {
    const commands = lines.map((line) => {
      const folder = mkdtempSync(join(tmpdir(), "cm-experiments-"));
      return { folder, args: line(folder) };
    });
    ran = runAll(commands).map((result, place) => ({ ...result, folder: commands[place]?.folder ?? "" }));
  });
  afterAll(() => {
    for (const { folder } of ran) rmSync(folder, { recursive: true, force: true });
  });
  return () => ran;
}

describe("replay of what cannot be replayed", () => {
  const ran = ranIn(
    cases.map(([, make]) => (folder) => ["replay", make(folder), "--out", "results"]),
  );

  it.each(cases.map(([what], place) => [what, place] as const))(
    "says in one sentence what is wrong with %s",
    (_, place) => {
      const { status, stdout, stderr = "", folder = "" } = ran()[place] ?? {};

      expect(status).toBe(2);
      expect(stdout).toBe("");
      expect(stderr.trim().split("\n")).toHaveLength(1);
      expect(stderr).not.toMatch(/\bat .*:\d+:\d+/);
      expect(existsSync(join(folder, "results"))).toBe(false);
    },
  );

  it("keeps nothing of good files when another one is bad", async () => {
    await inFolder((folder) => {
      writeFileSync(join(folder, "good.jsonl"), good);

      const { status } = run(folder, "replay", "good.jsonl", "nowhere.jsonl", "--out", "results");

      expect(status).toBe(2);
      expect(existsSync(join(folder, "results"))).toBe(false);
    });
  });
});

describe("a command line that makes no sense", () => {
  const ran = ranIn(
    refused.map((args) => (folder) => {
      writeFileSync(join(folder, "good.jsonl"), good);
      return args;
    }),
  );

  it.each(refused.map((args, place) => [args, place] as const))("refuses %o", (_, place) => {
    const { status, stdout, folder = "" } = ran()[place] ?? {};

    expect(status).toBe(2);
    expect(stdout).toBe("");
    expect(readdirSync(folder)).toEqual(["good.jsonl"]);
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

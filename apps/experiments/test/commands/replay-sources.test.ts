// @module-tag process
// Verifies: SSOT 5.5, 5.6: replays look into repositories, buckets and containers that the command line names.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSqliteStore } from "@cm/store-sqlite";
import { describe, expect, it } from "vitest";
import { inFolder, run } from "../support/command.ts";

function asked(id: string, name: string, args: object, text: string): readonly object[] {
  const message = (entry: string, content: object) => ({
    ...{ type: "message", id: entry, timestamp: "2026-01-01T00:00:01.000Z", message: content },
  });
  return [
    message(`a${id}`, { role: "assistant", content: [{ type: "toolCall", id, name, arguments: args }] }),
    message(`r${id}`, { role: "toolResult", toolCallId: id, toolName: name, content: [{ type: "text", text }] }),
  ];
}

function writeSession(folder: string, ...calls: readonly (readonly object[])[]): void {
  const head = { type: "session", version: 3, id: "s1", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/elsewhere" };
  writeFileSync(join(folder, "s.jsonl"), [head, ...calls.flat()].map((line) => JSON.stringify(line)).join("\n"));
}

/** Kind of source, path and text of each file in the session's database. */
async function filesIn(folder: string) {
  const store = openSqliteStore({ path: join(folder, "out/s-ssot.sqlite") });
  const { versions } = await store.find({ type: "file" }, { documents: true });
  await store.close();
  return versions
    .map(({ document }) => [document?.source?.type, Object(document?.source).path, document?.content])
    .sort((a, b) => String(a).localeCompare(String(b)));
}

describe("replay --git", () => {
  it("has the files of commits that calls showed, of the repository that stands for the session's", async () => {
    await inFolder(async (folder) => {
      const app = join(folder, "app");
      mkdirSync(app);
      writeFileSync(join(app, "notes.md"), "as it is now\n");
      const git = (...args: readonly string[]) =>
        execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=a@b.c", "-C", app, ...args]);
      git("init", "--quiet", "--initial-branch=main");
      git("add", "notes.md");
      git("commit", "--quiet", "--no-gpg-sign", "--message", "One");
      writeSession(folder, asked("1", "bash", { command: "git show main:notes.md" }, "as it was\n"));
      const replay = ["replay", "s.jsonl", "--policy", "ssot", "--out", "out"];

      const { status } = run(folder, ...replay, "--git", "app");

      expect(status).toBe(0);
      expect(await filesIn(folder)).toEqual([["git", "notes.md", "as it is now\n"]]);
    });
  });
});

describe("replay --container", () => {
  it("has the session's files as they are in the container", async () => {
    await inFolder(async (given) => {
      const folder = realpathSync(given);
      // A stand-in for an engine: its container sees this machine's files.
      writeFileSync(join(folder, "engine"), '#!/bin/sh\nshift 2\nexec "$@"\n');
      chmodSync(join(folder, "engine"), 0o755);
      writeFileSync(join(folder, "a.txt"), "in the box\n");
      writeSession(folder, asked("1", "read", { path: join(folder, "a.txt") }, "as it was\n"));
      const container = `box=${join(folder, "engine")} exec box`;

      const { status, stderr } = run(
        folder,
        "replay",
        "s.jsonl",
        "--policy",
        "ssot",
        "--out",
        "out",
        "--container",
        container,
      );

      expect({ status, stderr }).toMatchObject({ status: 0 });
      expect(await filesIn(folder)).toEqual([["filesystem", join(folder, "a.txt"), "in the box\n"]]);
    });
  });

  it("is refused beside --root, and where the server of --s3 is none", async () => {
    await inFolder((folder) => {
      writeSession(folder, asked("1", "read", { path: "a.txt" }, "as it was\n"));

      const both = run(folder, "replay", "s.jsonl", "--container", "box", "--root", folder);
      const nowhere = run(folder, "replay", "s.jsonl", "--s3", "nowhere", "--out", "out");

      expect([both.status, both.stderr]).toEqual([2, expect.stringContaining("--container says where")]);
      expect([nowhere.status, nowhere.stderr]).toEqual([2, expect.stringContaining("--s3: endpoints[0] is no origin")]);
    });
  });
});

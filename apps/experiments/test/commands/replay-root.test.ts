// @module-tag process
// Verifies: SSOT 5.3, 5.6: with --root the files of a session are indexed as they are; the example's as they were.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DocumentOf, ObjectDocument } from "@cm/object-model";
import { openSqliteStore } from "@cm/store-sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CommandResult, inFolder, run } from "../support/command.ts";

const key = ["ghp", "wXm4Rk9Tz2Qv7Lb1Ny6Hs3Jd8Pf5Gc0Ka2Ue"].join("_");

/** A session of Pi that listed a folder and read two files of it, in a place that is not on this machine. */
const session = [
  { type: "session", version: 3, id: "s1", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/elsewhere/project" },
  ...asked("1", "bash", { command: "ls src" }, "a.ts\nkey.ts\nnot-here.ts\n.env\n"),
  ...asked("2", "read", { path: "src/a.ts" }, "as it was recorded"),
  ...asked("3", "read", { path: "src/key.ts" }, "x"),
  ...asked("4", "read", { path: "/etc/hostname" }, "somewhere"),
  ...asked("5", "read", { path: "src/.env" }, "x"),
];

function asked(id: string, name: string, args: object, text: string): readonly object[] {
  const message = (entry: string, content: object) => ({
    type: "message",
    id: entry,
    timestamp: "2026-01-01T00:00:01.000Z",
    message: content,
  });
  return [
    message(`a${id}`, { role: "assistant", content: [{ type: "toolCall", id, name, arguments: args }] }),
    message(`r${id}`, { role: "toolResult", toolCallId: id, toolName: name, content: [{ type: "text", text }] }),
  ];
}

describe("replay --root", () => {
  it("stores the files that are there, stubs for those that were listed, and nothing for those that are not", async () => {
    await inFolder(async (folder) => {
      writeFileSync(join(folder, "s.jsonl"), session.map((line) => JSON.stringify(line)).join("\n"));
      const src = join(folder, "here", "src");
      mkdirSync(src, { recursive: true });
      writeFileSync(join(src, "a.ts"), "as it is now");
      writeFileSync(join(src, "key.ts"), `const key = "${key}";`);
      writeFileSync(join(src, ".env"), "TOKEN=1");

      const { status, stderr } = run(folder, "replay", "s.jsonl", "--root", "here", "--policy", "ssot", "--out", "out");

      expect([status, stderr.includes("Error")]).toEqual([0, false]);
      const files = await filesIn(join(folder, "out", "s-ssot.sqlite"));
      const contentOf = (end: string) => files.find(({ path }) => path.endsWith(end))?.document;
      expect(contentOf("/src/a.ts")?.content).toBe("as it is now");
      expect(contentOf("/src/key.ts")?.content).not.toContain(key);
      expect(contentOf("/src/key.ts")?.redactions).toBe(1);
      expect(contentOf("/src/.env")).toMatchObject({ content: null, null_reason: "unread" });
      expect(contentOf("/etc/hostname")).toMatchObject({ content: null, null_reason: "unread" });
      expect(contentOf("/src/not-here.ts")).toBeUndefined();
      expect(run(folder, "check", "out").status).toBe(0);
    });
  });

  it("is refused where there is no such folder, or more than one session", async () => {
    await inFolder((folder) => {
      writeFileSync(join(folder, "s.jsonl"), session.map((line) => JSON.stringify(line)).join("\n"));

      const nowhere = run(folder, "replay", "s.jsonl", "--root", "nowhere");
      const two = run(folder, "replay", "s.jsonl", "s.jsonl", "--root", folder);

      expect([nowhere.status, nowhere.stderr]).toEqual([2, expect.stringMatching(/There is no folder .*nowhere\.\n$/)]);
      expect([two.status, two.stderr]).toEqual([2, expect.stringContaining("give one FILE")]);
    });
  });
});

describe("the built-in example", () => {
  const folder = mkdtempSync(join(tmpdir(), "cm-experiments-"));
  const out = join(folder, "out", "example");
  let replayed: CommandResult;
  beforeAll(() => {
    replayed = run(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("runs with no argument at all and shows its figures", () => {
    expect(replayed.status).toBe(0);
    expect(replayed.stdout).toMatch(/plain.*100/);
    expect(existsSync(join(out, "report.html"))).toBe(true);
    expect(readFileSync(join(out, "report.html"), "utf8")).not.toContain(folder);
  });

  it("indexes its files, each with the versions that its agent made", async () => {
    const files = await filesIn(join(out, "example-log.sqlite"));
    const read = files.filter(({ document }) => document.content !== null);
    expect(read.length).toBeGreaterThanOrEqual(12);
    expect(read.filter(({ versions }) => versions > 1).length).toBeGreaterThanOrEqual(10);
    expect(files.filter(({ document }) => document.null_reason === "unread").length).toBeGreaterThan(5);
    expect(run(folder, "check", join(out, "example-log.sqlite")).status).toBe(0);
  });
});

async function filesIn(database: string) {
  const store = openSqliteStore({ path: database });
  try {
    const { versions } = await store.find({ type: "file" }, { documents: true, limit: 1_000 });
    const documents = versions.flatMap(({ document }) => (isFile(document) ? [document] : []));
    return await Promise.all(
      documents.map(async (document) => ({
        document,
        path: document.source !== null && "path" in document.source ? `${document.source.path}` : "",
        versions: (await store.history(document["xt/id"])).versions.length,
      })),
    );
  } finally {
    await store.close();
  }
}

function isFile(document: ObjectDocument | undefined): document is DocumentOf<"file"> {
  return document?.type === "file";
}

import { mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  defaultSessionDir,
  findMostRecentSession,
  getRecentSessions,
  listAllSessions,
  listSessions,
  SessionManager,
  terminalIdOf,
} from "../src/index.ts";
import { header, jsonl } from "./session-text.ts";
import { assistant, optionsIn, tempFolder, user } from "./support/places.ts";

const timestamp = header.timestamp;
const said = (message: object) => ({ type: "message", id: "a", parentId: null, timestamp, message });

/** Files of one folder, the first the oldest. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = tempFolder();
  Object.entries(files).forEach(([name, text], index) => {
    writeFileSync(join(folder, name), text);
    utimesSync(join(folder, name), 1000 + index, 1000 + index);
  });
  return folder;
}

describe("the recent sessions of a folder", () => {
  it("are the newest first, by title, first prompt or id, on one line", async () => {
    const folder = folderWith({
      "id.jsonl": jsonl({ ...header, id: "by-id" }),
      "prompt.jsonl": jsonl(header, said(assistant("hello")), said(user(`a\u0007 prompt\nsecond line`))),
      "title.jsonl": jsonl({ ...header, title: "t".repeat(50) }, said(user("unused"))),
    });

    const recent = await getRecentSessions(folder);

    expect(recent.map(({ fullName }) => fullName)).toEqual(["t".repeat(50), "a prompt", "by-id"]);
    expect(recent[0]?.name).toBe(`${"t".repeat(39)}…`);
    expect(await getRecentSessions(folder, 1)).toHaveLength(1);
    expect(await findMostRecentSession(folder)).toBe(join(folder, "title.jsonl"));
  });

  it("are not stopped by files that are broken, no sessions, or folders", async () => {
    const folder = folderWith({
      "good.jsonl": jsonl(header),
      "empty.jsonl": "",
      "bad.jsonl": "\u0000\u0001",
      "headerless.jsonl": jsonl(said(user("x"))),
      "note.txt": jsonl(header),
    });
    mkdirSync(join(folder, "dir.jsonl"));

    expect(await getRecentSessions(folder, 10)).toHaveLength(1);
    expect(await getRecentSessions(join(folder, "gone"))).toEqual([]);
    expect(await findMostRecentSession(join(folder, "gone"))).toBeNull();
  });

  it("are found where their header is longer than what is read of each", async () => {
    const folder = folderWith({ "long.jsonl": jsonl({ ...header, more: "m".repeat(10_000) }, said(user("x"))) });

    expect(await findMostRecentSession(folder)).toBe(join(folder, "long.jsonl"));
  });
});

describe("listing", () => {
  it("tells what the beginning of each file says", async () => {
    const compaction = { type: "compaction", id: "c", parentId: "a", timestamp, summary: "s", shortSummary: "short" };
    const dir = folderWith({
      "s.jsonl": jsonl({ ...header, parentSession: "p" }, said(user("first")), said(assistant("answer")), compaction),
    });

    expect(await listSessions("/unused", dir)).toEqual([
      {
        ...{ path: join(dir, "s.jsonl"), id: header.id, cwd: header.cwd, title: "short", parentSession: "p" },
        ...{ created: new Date(timestamp), modified: new Date(1_000_000), messageCount: 2 },
        ...{ firstMessage: "first", allMessagesText: "first answer", bytes: expect.any(Number) },
      },
    ]);
  });

  it("finds the sessions of one working directory, and of all", async () => {
    const agentDir = tempFolder();
    for (const cwd of ["/projects/a", "/projects/b", "C:\\work"]) {
      const session = SessionManager.create(cwd, defaultSessionDir(cwd, agentDir), optionsIn(agentDir));
      session.appendMessage(assistant(cwd));
      await session.close();
    }

    expect(defaultSessionDir("/projects/a", "/agent")).toBe("/agent/sessions/--projects-a--");
    expect(await listSessions("/projects/a", undefined, { agentDir })).toHaveLength(1);
    expect(await SessionManager.list("/projects/b", undefined, { agentDir })).toHaveLength(1);
    expect(await listAllSessions({ agentDir })).toHaveLength(3);
    expect(await SessionManager.listAll({ agentDir: join(agentDir, "gone") })).toEqual([]);
  });
});

describe("going on with the last session", () => {
  it("takes this terminal's session before the newest, in the same working directory alone", async () => {
    const agentDir = tempFolder();
    const mine = optionsIn(agentDir, { terminalId: "pts-1" });
    const old = SessionManager.create("/work", undefined, mine);
    old.appendMessage(assistant("old"));
    await old.close();
    const newer = SessionManager.create("/work", undefined, optionsIn(agentDir, { terminalId: "pts-2" }));
    newer.appendMessage(assistant("new"));
    await newer.close();
    const crumb = join(agentDir, "terminal-sessions", "pts-1");

    const noted = readFileSync(crumb, "utf8");
    const here = await SessionManager.continueRecent("/work", undefined, mine);
    const elsewhere = await SessionManager.continueRecent("/work", undefined, optionsIn(agentDir));

    expect(noted).toBe(`/work\n${old.getSessionFile()}\n`);
    expect(here.getSessionId()).toBe(old.getSessionId());
    expect(elsewhere.getSessionId()).toBe(newer.getSessionId());
    await Promise.all([here.close(), elsewhere.close()]);
    writeFileSync(crumb, `/other\n${newer.getSessionFile()}\n`);
    const moved = await SessionManager.continueRecent("/work", undefined, mine);
    expect(moved.getSessionId()).toBe(newer.getSessionId());
    await moved.close();
  });

  it("begins a new one where there is none, and says nothing where the note cannot be written", async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, "terminal-sessions"), "a file in the way");

    const session = await SessionManager.continueRecent("/work", undefined, optionsIn(folder, { terminalId: "t" }));

    expect(session.getEntries()).toEqual([]);
    await session.close();
  });

  it("names a terminal by what its program says, and none where there is none", () => {
    const named = terminalIdOf({ KITTY_WINDOW_ID: "3", TMUX_PANE: "%1" });

    expect(process.stdin.isTTY ? "kitty-3" : named).toBe("kitty-3");
    expect(process.stdin.isTTY ? undefined : terminalIdOf({})).toBeUndefined();
    expect(process.stdin.isTTY ? "tmux--1" : terminalIdOf({ TMUX_PANE: "%1" })).toBe("tmux--1");
  });
});

import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FindOptions, findRecordings, readRecording, recordingsIn } from "../src/index.ts";
import { fillSession, opencodeTables } from "./support/opencode-database.ts";

let home = "";
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "cm-find-"));
});
afterAll(() => rm(home, { recursive: true, force: true }));

async function put(...paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), path);
  }
}

async function found(options: FindOptions): Promise<readonly string[]> {
  const paths: string[] = [];
  for await (const { agent, path } of findRecordings({ home, cwd: home, env: {}, ...options }))
    paths.push(`${agent} ${relative(home, path)}`);
  return paths;
}

describe("findRecordings", () => {
  test("finds the sessions of each agent, and not what lies beside them", async () => {
    await put(".pi/agent/sessions/--work--/1.jsonl", ".pi/agent/sessions/--work--/1/sub-agent.jsonl");
    await put(".omp/agent/sessions/--work--/2.jsonl", ".omp/agent/sessions/--work--/2.json");
    await put(".claude/projects/-work/3.jsonl", ".claude/projects/-work/agent-3.jsonl");
    await put(".codex/sessions/2026/01/02/rollout-4.jsonl", ".codex/sessions/2026/01/02/4.jsonl");
    await put(".codex/archived_sessions/rollout-5.jsonl", ".codex/history.jsonl");
    await put(".local/share/opencode/storage/session/p/6.json", ".local/share/opencode/storage/message/6/7.json");

    expect(await found({})).toEqual([
      "pi .pi/agent/sessions/--work--/1.jsonl",
      "omp .omp/agent/sessions/--work--/2.jsonl",
      "claude-code .claude/projects/-work/3.jsonl",
      "codex .codex/sessions/2026/01/02/rollout-4.jsonl",
      "codex .codex/archived_sessions/rollout-5.jsonl",
      "opencode .local/share/opencode/storage/session/p/6.json",
    ]);
  });

  test("looks where the variables of the agents say, and finds a shared folder's files once", async () => {
    await put("a/sessions/--w--/1.jsonl", "b/projects/-w/2.jsonl", "c/sessions/2026/01/01/rollout-3.jsonl");
    await put("d/opencode/storage/session/p/4.json", "e/5.jsonl");
    const env = { PI_CODING_AGENT_DIR: "a", CLAUDE_CONFIG_DIR: "~/b", CODEX_HOME: join(home, "c"), XDG_DATA_HOME: "d" };

    expect(await found({ env })).toEqual([
      "pi a/sessions/--w--/1.jsonl",
      "claude-code b/projects/-w/2.jsonl",
      "codex c/sessions/2026/01/01/rollout-3.jsonl",
      "opencode d/opencode/storage/session/p/4.json",
    ]);
    expect(await found({ env: { ...env, PI_CODING_AGENT_SESSION_DIR: "e" } })).toContain("pi e/5.jsonl");
  });

  test("lists the sessions of opencode's database, and those that it took over only once", async () => {
    await put("o/opencode/storage/session/p/ses_old.json", "o/opencode/storage/session/p/ses_b.json");
    await put("o/opencode/opencode-dev.db", "o/opencode/other.db");
    const database = new DatabaseSync(join(home, "o/opencode/opencode.db"));
    database.exec(opencodeTables);
    fillSession(database, "ses_a", { updated: 1_780_000_000_000 });
    fillSession(database, "ses_b", { parent: "ses_a" });
    database.close();
    const env = { XDG_DATA_HOME: "o", PI_CODING_AGENT_DIR: "none", CLAUDE_CONFIG_DIR: "none", CODEX_HOME: "none" };
    const all = [];
    for await (const recording of findRecordings({ home, cwd: home, env })) all.push(recording);

    expect(all.map(({ path, session }) => [relative(join(home, "o/opencode"), path), session])).toEqual([
      ["opencode-dev.db", undefined],
      ["opencode.db", "ses_a"],
      ["opencode.db", "ses_b"],
      ["storage/session/p/ses_old.json", undefined],
    ]);
    expect(all[1]?.mtime).toEqual(new Date(1_780_000_000_000));
    expect(await recordingsIn(join(home, "o/opencode/opencode.db"))).toEqual(
      all.slice(1, 3).map(({ path, session, bytes }) => ({ path, session, bytes })),
    );
    const [{ path = "", session = "" } = {}] = await recordingsIn(join(home, "o/opencode/opencode.db"));
    expect((await readRecording(path, { session })).id).toBe("ses_a");
    expect(await recordingsIn(join(home, "none"))).toEqual([{ path: join(home, "none") }]);
  });

  test("tells size and time, follows no folder's link, and finds nothing where nothing is", async () => {
    await put("f/sessions/--w--/1.jsonl");
    await symlink(join(home, "f"), join(home, "f/sessions/--w--/loop"));
    const env = { PI_CODING_AGENT_DIR: "f", CLAUDE_CONFIG_DIR: "none", CODEX_HOME: "none", XDG_DATA_HOME: "none" };
    const all = [];
    for await (const recording of findRecordings({ home, cwd: home, env })) all.push(recording);

    expect(all).toEqual([
      { path: join(home, "f/sessions/--w--/1.jsonl"), agent: "pi", bytes: 24, mtime: expect.any(Date) },
    ]);
    expect(await found({ env: { ...env, PI_CODING_AGENT_DIR: "none" } })).toEqual([]);
  });
});

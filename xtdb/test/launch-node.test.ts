// @module-tag xtdb
// @module-tag long
// Verifies: a node starts, answers, stops and says in one sentence why it does not start.
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { inCampaign } from "../../tools/in-campaign.ts";
import { requirement } from "../../tools/requirement.ts";
import { isNodeError, startNode, whatIsMissing } from "../launch/index.ts";
import { get, put } from "./support/ask.ts";
import { startCommand } from "./support/command.ts";
import { temporaryFolder } from "./support/folders.ts";
import { ended, isRunning, runNode } from "./support/running.ts";

const withXtdb = requirement("Java 17 and XTDB's jars", () => whatIsMissing() === undefined);

const rocksdb = (folder: string) => ({ kind: "rocksdb", folder }) as const;

withXtdb("a node in memory", () => {
  it("answers on a free port, keeps all in memory, and is gone after stop", async () => {
    const node = await runNode();

    const status = await get(node.url, "status");
    await node.stop();

    expect(JSON.parse(status.body)).toMatchObject({ kvStore: "xtdb.mem_kv.MemKv", "ingesterFailed?": false });
    expect(node.url).toBe(`http://127.0.0.1:${node.port}`);
    expect(await node.exited).toBe(0);
    expect(isRunning(node.pid)).toBe(false);
    await expect(get(node.url, "status")).rejects.toThrow("ECONNREFUSED");
  });

  // What it keeps all in says so, too.
  inCampaign("forgets everything", async () => {
    const node = await runNode();
    await put(node.url, '{:xt/id "a"}');
    await node.stop();

    const second = await runNode();

    expect((await get(second.url, "latest-completed-tx")).status).toBe(404);
  });

  // The door's own tests start a node with a token, too.
  inCampaign("asks for its token", async () => {
    const node = await runNode({ token: "s3cret" });

    const without = await get(node.url, "status");
    const withToken = await fetch(`${node.url}/_xtdb/status`, { headers: { authorization: "Bearer s3cret" } });

    expect(without.status).toBe(401);
    expect(withToken.status).toBe(200);
  });
});

withXtdb("a node with a folder", () => {
  // Three starts for three laws: a process takes longer to start than all that it is asked here.
  it("has all that it confirmed after a SIGKILL, and in a copy made after a stop, and keeps other nodes out", async () => {
    const [folder, elsewhere] = [temporaryFolder(), temporaryFolder()].map((path) => join(path, 'ä "b" \\c\n€')) as [
      string,
      string,
    ];
    const history = "entity?eid=a&history=true&sort-order=asc&with-docs=true&with-corrections=true";
    const first = await runNode({ storage: rocksdb(folder) });
    for (const n of [1, 2, 3]) await put(first.url, `{:xt/id "a" :n ${n}}`);
    await first.kill();
    const second = await runNode({ storage: rocksdb(folder) });
    await get(second.url, "sync?timeout=20000");
    const killed = await get(second.url, history);
    await second.stop();
    await cp(folder, elsewhere, { recursive: true });

    const third = await runNode({ storage: rocksdb(elsewhere) });
    const copied = await get(third.url, history);

    expect(await first.exited).toBeNull();
    expect(JSON.parse(killed.body)).toHaveLength(3);
    expect(copied.body).toBe(killed.body);
    const fourth = startNode({ quick: true, storage: rocksdb(elsewhere) });
    await expect(fourth).rejects.toThrow(`XTDB cannot start on ${elsewhere}: the data folder is in use`);
    expect((await get(third.url, "status")).status).toBe(200);
  });
});

withXtdb("a node that cannot start", () => {
  it("names the folder that is none", async () => {
    const file = join(temporaryFolder(), "file");
    await writeFile(file, "");

    const node = startNode({ quick: true, storage: rocksdb(file) });

    await expect(node).rejects.toMatchObject({ code: "node/folder", message: expect.stringContaining(file) });
  });

  it("says that RocksDB cannot use the folder's name", async () => {
    const folder = join(temporaryFolder(), "😀");

    const node = startNode({ quick: true, storage: rocksdb(folder) });

    await expect(node).rejects.toMatchObject({ code: "node/folder" });
  });

  // The command that starts such a node says the same (`launch-command`).
  inCampaign("names the database that does not answer, without its password", async () => {
    const url = "postgres://user:hunter2@127.0.0.1:1/things";

    const error = await startNode({
      quick: true,
      storage: { kind: "postgres", url, indexFolder: temporaryFolder() },
    }).catch((reason: unknown) => reason);

    expect(isNodeError(error) && error.message).toMatch(
      /^XTDB cannot start on Postgres 127\.0\.0\.1:1\/things .*Postgres does not answer/,
    );
    expect(JSON.stringify([String(error), (error as Error).cause, error])).not.toContain("hunter2");
  });

  it("is ended when it takes longer than it may", async () => {
    const node = startNode({ quick: true, startMs: 50 });

    await expect(node).rejects.toMatchObject({ code: "node/start-timeout" });
  });

  it("is ended when it is no longer needed", async () => {
    const interrupted = new AbortController();
    const node = startNode({ quick: true, signal: interrupted.signal });

    interrupted.abort();

    await expect(node).rejects.toMatchObject({ code: "node/aborted" });
  });

  it.each([
    { port: -1 },
    { port: 65_536 },
    { port: 1.5 },
    { heapMiB: 1 },
    { token: "two words" },
    { token: "line\nbreak" },
    { token: "" },
    { storage: { kind: "rocksdb", folder: "\ud800" } } as const,
  ])("refuses the setting %j", async (setting) => {
    await expect(startNode({ quick: true, ...setting })).rejects.toMatchObject({ code: "node/invalid" });
  });
});

withXtdb("a node whose parent dies", () => {
  it("ends with it, however the parent dies", async () => {
    const parent = startCommand([], { script: join(import.meta.dirname, "support/parent.ts") });
    const [, pid] = await parent.prints(/node (\d+)\n/);
    expect(isRunning(Number(pid))).toBe(true);

    parent.process.kill("SIGKILL");

    await ended(Number(pid));
  });
});

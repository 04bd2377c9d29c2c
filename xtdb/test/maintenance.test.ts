// @module-tag xtdb
// @module-tag long
// Verifies: an erasure ends on the disk; a backup is whole; neither touches a folder in use.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { requirement } from "../../tools/requirement.ts";
import { startNode, whatIsMissing } from "../launch/index.ts";
import { get, post, put } from "./support/ask.ts";
import { runCommand } from "./support/command.ts";
import { temporaryFolder } from "./support/folders.ts";
import { runNode } from "./support/running.ts";

const withXtdb = requirement("Java 17 and XTDB's jars", () => whatIsMissing() === undefined);

const secret = "the-canary-sang-at-midnight";
// Over 224 bytes, which is where the index starts to keep values that an evict does not take away.
const long = `${secret} ${"x".repeat(400)}`;
const rocksdb = (folder: string) => ({ storage: { kind: "rocksdb", folder } as const });

const original = mkdtempSync(join(tmpdir(), "cm-xtdb-test-"));
afterAll(() => rmSync(original, { recursive: true, force: true }));

let evicted: Promise<void> | undefined;

async function putAndEvict(): Promise<void> {
  const node = await startNode({ quick: true, ...rocksdb(original) });
  try {
    await put(node.url, `{:xt/id "a" :text "${long}"}`, '{:xt/id "b" :text "kept-as-it-is"}');
    const answer = await post(node.url, "submit-tx", '{:tx-ops [[:xtdb.api/evict "a"]]}');
    await get(node.url, `await-tx?tx-id=${JSON.parse(answer.body).txId}&timeout=10000`);
  } finally {
    await node.stop();
  }
}

/** A stopped node's folder in which a document with the secret was put and evicted, and another was kept: to be copied. */
async function evictedFolder(): Promise<string> {
  evicted ??= putAndEvict();
  await evicted;
  return original;
}

/** A node in a folder that each command is refused; it was compacted before. */
let compacting: ReturnType<typeof compactAndStart> | undefined;
afterAll(async () => {
  const { folder, checkpoints, node } = (await compacting) ?? {};
  await node?.kill();
  for (const path of [folder, checkpoints]) if (path !== undefined) rmSync(path, { recursive: true, force: true });
});
const folderInUse = () => {
  compacting ??= compactAndStart();
  return compacting;
};

/** Compacts a folder with checkpoints after an evict, and starts a node on it. */
async function compactAndStart() {
  const [folder, checkpoints] = [1, 2].map(() => mkdtempSync(join(tmpdir(), "cm-xtdb-test-"))) as [string, string];
  cpSync(await evictedFolder(), folder, { recursive: true });
  mkdirSync(join(checkpoints, "checkpoint-1-2026"));
  for (const name of ["checkpoint-1-2026/000001.sst", "checkpoint-1-2026.edn", "notes.txt"]) {
    writeFileSync(join(checkpoints, name), "");
  }
  const before = await runCommand(["scan", folder, secret]);
  const compacted = await runCommand(["compact", folder, "--checkpoint", checkpoints]);
  const after = await runCommand(["scan", folder, secret, "kept-as-it-is"]);
  const node = await startNode({ quick: true, ...rocksdb(folder) });
  await get(node.url, "sync?timeout=20000");
  return { folder, checkpoints, node, before, compacted, after };
}

withXtdb("compact", () => {
  it("takes from the disk what an evict has left there and the checkpoints, and the folder answers as before", async () => {
    const { checkpoints, node, before, compacted, after } = await folderInUse();

    expect({ code: before.code, found: /^docs\S+: text 1 in \d+ of its entries$/m.test(before.stdout) }).toEqual({
      code: 3,
      found: true,
    });
    expect(compacted.code).toBe(0);
    expect(compacted.stdout).toMatch(
      /^indices: removed.*\ncheckpoints: removed 2 .*\ndocs: compacted.*\ntx-log: compacted.*\n$/,
    );
    expect(after.code).toBe(3);
    expect(after.stdout).toContain(": text 2 in");
    expect(after.stdout).not.toContain(": text 1 in");
    expect(before.stdout).not.toContain(secret);
    expect((await get(node.url, "entity?eid=a")).status).toBe(404);
    expect(JSON.parse((await get(node.url, "entity?eid=b")).body)).toEqual({ "xt/id": "b", text: "kept-as-it-is" });
    expect(readdirSync(checkpoints)).toEqual(["notes.txt"]);
  });

  it("refuses a folder in use and one that is not a node's", async () => {
    const { folder, node } = await folderInUse();
    const other = temporaryFolder();

    const [inUse, notOurs, nowhere] = await Promise.all([
      runCommand(["compact", folder]),
      runCommand(["compact", other]),
      runCommand(["compact", join(other, "nowhere")]),
    ]);

    expect(inUse.code).toBe(1);
    expect(inUse.stderr).toMatch(/is in use; stop the node first\.\n$/);
    expect(notOurs).toMatchObject({ code: 1, stderr: expect.stringMatching(/has no tx-log of a node; .*\n$/) });
    expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringMatching(/does not exist; .*\n$/) });
    expect(existsSync(join(folder, "indices/CURRENT"))).toBe(true);
    expect((await get(node.url, "entity?eid=b")).status).toBe(200);
  });
});

withXtdb("backup", () => {
  it("makes a folder that a node answers from, index and all", async () => {
    const folder = temporaryFolder();
    cpSync(await evictedFolder(), folder, { recursive: true });
    const target = join(temporaryFolder(), "copy");

    const { code, stderr } = await runCommand(["backup", folder, target]);
    const node = await runNode(rocksdb(target));
    await get(node.url, "sync?timeout=20000");

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse((await get(node.url, "entity?eid=b")).body)).toEqual({ "xt/id": "b", text: "kept-as-it-is" });
    expect((await get(node.url, "entity?eid=a")).status).toBe(404);
  });

  it("writes into no folder that exists and copies none that is in use", async () => {
    const { folder, node } = await folderInUse();
    const target = temporaryFolder();

    const onto = await runCommand(["backup", folder, target]);
    const inUse = await runCommand(["backup", folder, join(target, "copy")]);

    expect(onto).toMatchObject({ code: 1, stderr: expect.stringMatching(/exists already; name a new folder\.\n$/) });
    expect(inUse).toMatchObject({ code: 1, stderr: expect.stringMatching(/is in use; stop the node first\.\n$/) });
    expect(readdirSync(target).filter((name) => !name.endsWith(".part"))).toEqual([]);
    expect((await get(node.url, "status")).status).toBe(200);
  });
});

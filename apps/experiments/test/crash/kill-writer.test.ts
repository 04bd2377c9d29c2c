// Verifies: F1 (a step is all or nothing under kill -9), SSOT 1.4, 3.1, design 6 (every past prompt is rebuilt).
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { layouts, rendererFor } from "@cm/render";
import { openSession, rebuildPrompts } from "@cm/session";
import { openSqliteStore } from "@cm/store-sqlite";
import { createRandom } from "@cm/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const kills = process.env.CM_CAMPAIGN === undefined ? 25 : 200;
const seed = Number(process.env.CM_SEED ?? Date.now() % 1_000_000);

describe(`a writer that is killed ${kills} times (replay: CM_SEED=${seed} npx vitest run kill-writer)`, () => {
  let folder = "";
  let path = "";
  /** The newest step that a writer said was written, over all its lives. */
  let acknowledged = -1;
  const random = createRandom(seed);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "cm-crash-"));
    path = join(folder, "crash.sqlite");
    for (let kill = 0; kill < kills; kill += 1) {
      acknowledged = Math.max(
        acknowledged,
        await runAndKill(path, kill % 2 === 0 ? "log" : "ssot", 1 + random.fraction() * 12),
      );
    }
  }, 600_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("keeps every acknowledged step", async () => {
    const numbers = await rebuiltSteps(path);

    expect(numbers.length).toBeGreaterThan(acknowledged);
    expect(numbers).toEqual(numbers.map((_, place) => place));
  }, 120_000);

  it("resumes with the promises about its sets kept", async () => {
    const store = openSqliteStore({ path });

    const session = await openSession({ store, ...layouts.log, session: "killed" });
    const { session_index, metadata_pool, active_set, pinned_set } = session.wrapper();

    const index = new Set(session_index);
    const pool = new Set(metadata_pool);
    expect(metadata_pool.filter((id) => !index.has(id))).toEqual([]);
    expect([...active_set, ...pinned_set].filter((id) => !pool.has(id))).toEqual([]);
    expect(session.chat().toolcall_refs.filter((id) => !index.has(id))).toEqual([]);
    await store.close();
  }, 120_000);

  it("rebuilds every request of every life byte for byte", async () => {
    const store = openSqliteStore({ path, readOnly: true });
    const wrong: number[] = [];

    for await (const { n, hash, recordedHash } of rebuildPrompts(store, "killed", rendererFor)) {
      if (hash !== recordedHash) wrong.push(n);
    }

    expect(wrong).toEqual([]);
    await store.close();
  }, 120_000);
});

/** Lets a writer acknowledge some steps, then kills it at once. The newest step it acknowledged. */
async function runAndKill(path: string, policy: string, steps: number): Promise<number> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "writer.ts"), path, policy], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let seen = 0;
  let newest = -1;
  for await (const line of createInterface({ input: child.stdout })) {
    newest = Math.max(newest, Number(line));
    seen += 1;
    if (seen > steps) child.kill("SIGKILL");
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return newest;
}

async function rebuiltSteps(path: string): Promise<readonly number[]> {
  const store = openSqliteStore({ path, readOnly: true });
  const numbers: number[] = [];
  for await (const { n } of rebuildPrompts(store, "killed", rendererFor)) numbers.push(n);
  await store.close();
  return numbers;
}

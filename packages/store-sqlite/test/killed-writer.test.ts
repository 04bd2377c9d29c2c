// @module-tag process
// Verifies: F1: a step is all or nothing, also under kill -9.
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { openSqliteStore } from "../src/index.ts";
import { freshPath } from "./support/folder.ts";
import { campaign, createRandom, runSeed } from "./support/random.ts";
import { runWriter } from "./support/writer-process.ts";

const title = "a killed writer leaves every acknowledged commit whole and no other in part";
const kills = campaign ? 200 : 4;

it(title, async () => {
  const { seed, replay } = runSeed(title);
  const random = createRandom(seed);
  const path = freshPath();

  for (let kill = 0; kill < kills; kill += 1) {
    const name = `kill${kill}`;
    const moment = { afterLines: 1 + random.below(40), andMs: random.fraction() * 3 };
    const task = { path, name, how: "puts", count: 100_000, kill: moment } as const;
    const { acknowledged, exitCode, stderr } = await runWriter(task);

    const { whole, torn } = await commitsOf(path, name, acknowledged + 10);

    expect({ exitCode, stderr, torn }, replay).toEqual({ exitCode: null, stderr: "", torn: [] });
    // Commits that were made and not yet acknowledged when the kill came are whole as well.
    expect(whole, replay).toBeGreaterThanOrEqual(acknowledged);
  }

  expect(integrityOf(path)).toBe("ok");
});

/** How many commits are there, counted without a hole, and which of the first ones are there in part. */
async function commitsOf(path: string, name: string, upTo: number): Promise<{ whole: number; torn: number[] }> {
  const store = openSqliteStore({ path });
  const shared = await sharedVersions(store, name);
  const torn: number[] = [];
  let whole = 0;
  for (let n = 0; n < upTo; n += 1) {
    const found = await store.getMany([`${name}-${n}-0`, `${name}-${n}-1`]);
    const parts = found.size + (shared.has(n) ? 1 : 0);
    if (parts === 3 && whole === n) whole += 1;
    else if (parts > 0) torn.push(n);
  }
  await store.close();
  return { whole, torn };
}

/** The commits of a writer that left their version of the shared object. */
async function sharedVersions(store: ReturnType<typeof openSqliteStore>, name: string): Promise<Set<number>> {
  const numbers = new Set<number>();
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const page = await store.history("shared", { documents: true, ...(cursor === undefined ? {} : { cursor }) });
    for (const { document } of page.versions) {
      const [writer, n] = document?.content?.split(" ") ?? [];
      if (writer === name) numbers.add(Number(n));
    }
    cursor = page.next;
  }
  return numbers;
}

function integrityOf(path: string): unknown {
  const database = new DatabaseSync(path);
  const row = database.prepare("PRAGMA integrity_check").get();
  database.close();
  return row?.integrity_check;
}

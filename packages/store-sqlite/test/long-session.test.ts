// Verifies: SSOT 3.8, 7.4 on a session of 450 steps: bytes on disk, and a step's share of them that does not grow.
import { existsSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { openSqliteStore } from "../src/index.ts";
import { freshPath } from "./support/folder.ts";
import { createRandom } from "./support/random.ts";
import { SessionWriter } from "./support/session-steps.ts";

const steps = 450;

describe("a session of 450 steps", () => {
  it("takes at most twice the bytes of its text, and a step's share does not grow", async () => {
    const { path, textChars, pages } = await writeSession();

    const bytes = statSync(path).size;
    console.info(`${bytes} bytes for ${textChars} characters: ${(bytes / textChars).toFixed(2)} times`);

    expect(existsSync(`${path}-wal`)).toBe(false);
    expect(bytes).toBeLessThanOrEqual(2 * textChars);
    const share = (from: number, to: number) => ((pages[to] ?? 0) - (pages[from] ?? 0)) / (to - from);
    expect(share(250, 449) / share(50, 249)).toBeLessThanOrEqual(1.3);
  });
});

async function writeSession() {
  const path = freshPath();
  const store = openSqliteStore({ path });
  const writer = new SessionWriter(createRandom(7));
  const pages: number[] = [];
  let textChars = 0;
  for (let n = 0; n < steps; n += 1) {
    const { writes, requestId, textChars: chars } = writer.step(n);
    const receipt = await store.commit(writes, { requestId });
    writer.written(receipt);
    textChars += chars;
    pages.push(pagesOf(path));
  }
  await store.close();
  return { path, textChars, pages };
}

/** Pages of the database, those in the log included. */
function pagesOf(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true });
  const row = database.prepare("PRAGMA page_count").get();
  database.close();
  return Number(row?.page_count);
}

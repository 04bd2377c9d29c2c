// Verifies: F13: a version that is marked as erased where no erasure took it is found by what an erasure takes along.
import { DatabaseSync } from "node:sqlite";
import type { ObjectDocument } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { openSqliteStore, recoverSqliteStore } from "../src/index.ts";
import { file, toolcall } from "./support/documents.ts";
import { freshPath } from "./support/folder.ts";

/** A file with two texts and one that was erased in between. */
async function write(path: string): Promise<void> {
  const store = openSqliteStore({ path });
  const add = (document: ObjectDocument) => store.commit([{ document, expect: "absent" }]);
  await add(file("/a.ts", "kept"));
  await add(toolcall("erased", "secret"));
  await store.erase(["erased"], "leaked");
  await add(toolcall("later", "written after the erasure"));
  await store.close();
}

/** By SQL, under the newest erasure, as if it had taken what is marked. */
function mark(path: string, which: string): void {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  database.exec("DROP TRIGGER version_fixed; DELETE FROM member");
  database.exec(`UPDATE version SET erased = (SELECT max(tx_id) FROM erasure), payload = NULL, bid = NULL,
    session_id = NULL, tool = NULL WHERE ${which}`);
  database.close();
}

async function problemsOf(path: string): Promise<readonly string[]> {
  const store = openSqliteStore({ path });
  const problems = (await store.check?.())?.problems ?? [];
  await store.close();
  return problems;
}

describe("a file", () => {
  it("in which an erasure took a text has no problem", async () => {
    const path = freshPath();
    await write(path);

    expect(await problemsOf(path)).toEqual([]);
  });

  it.each([
    ["was there before the erasure", "vid = 1", ["A text is there that no version has", "Traces are there"]],
    ["came after the erasure", "vid = 3", ["marked as taken by an erasure that was before it", "A text is there"]],
  ])("with a mark on what %s has problems, and recovering it leaves the text out", async (_what, which, words) => {
    const [path, to] = [freshPath(), freshPath()];
    await write(path);
    mark(path, which);

    const problems = (await problemsOf(path)).join("\n");
    const receipt = recoverSqliteStore({ path, to });

    for (const word of words) expect(problems).toContain(word);
    expect(receipt.rowsRefused).toBeGreaterThan(0);
    const database = new DatabaseSync(to, { readOnly: true });
    expect(database.prepare("SELECT count(*) AS texts FROM blob").get()).toMatchObject({ texts: 1 });
    database.close();
  });
});

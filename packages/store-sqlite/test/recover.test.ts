// Verifies: F13: what can be read of a damaged file comes into a new one, and nothing else does.
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { isCmError, type ObjectDocument, type ObjectStore } from "@cm/object-model";
import { createRandom } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { isDamagedStore, openSqliteStore, recoverSqliteStore } from "../src/index.ts";
import { toolcall } from "./support/documents.ts";
import { freshPath } from "./support/folder.ts";
import { campaign } from "./support/random.ts";

const pageBytes = 4_096;
/** Damaged files of a test. */
const files = campaign ? 12 : 6;
const random = createRandom(11);
const documents: readonly ObjectDocument[] = Array.from({ length: 600 }, (_, n) =>
  toolcall(`call-${n}`, `${n} ${Array.from({ length: 80 }, () => random.below(1e9).toString(36)).join(" ")}`),
);
const ids = documents.map((document) => document["xt/id"]);

async function writeAll(path: string): Promise<void> {
  const store = openSqliteStore({ path });
  for (let from = 0; from < documents.length; from += 60) {
    await store.commit(documents.slice(from, from + 60).map((document) => ({ document, expect: "absent" })));
  }
  await store.close();
}

/** Those that can be read, one by one; each is what was written. */
async function readable(store: ObjectStore): Promise<number> {
  let count = 0;
  for (const [place, id] of ids.entries()) {
    const document = await store.getMany([id]).then(
      (found) => found.get(id)?.document,
      () => undefined,
    );
    if (document === undefined) continue;
    expect(document).toEqual(documents[place]);
    count += 1;
  }
  return count;
}

function thrownBy(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error;
  }
}

/** Page of rows, by its first byte. */
const tableLeaf = 13;

/** The row ids of the texts that can be read with all that names them, row by row. */
function textsOf(path: string): readonly number[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const columns = [
    "hash, size, enc, data FROM blob WHERE bid",
    "oid, valid_from, content_hash, payload FROM version WHERE vid",
    "kind_id, id FROM object WHERE oid",
  ];
  const selects = columns.map((of) => database.prepare(`SELECT ${of} = ?`));
  const tx = database.prepare("SELECT time FROM tx WHERE tx_id = ?");
  const kind = database.prepare("SELECT type FROM kind");
  const isReadable = (row: number): boolean => {
    try {
      const rows = [...selects.map((select) => select.get(row)), tx.get(Math.ceil(row / 60)), kind.get()];
      return rows.every((one) => one !== undefined);
    } catch {
      return false;
    }
  };
  const readable = ids.map((_, place) => place + 1).filter(isReadable);
  database.close();
  return readable;
}

/** Where the damage is in the schema itself, nothing says what the pages are. */
function isRecovered(path: string, to: string): boolean {
  try {
    recoverSqliteStore({ path, to });
    return true;
  } catch (error) {
    if (isCmError(error, "store/corrupt")) return false;
    throw error;
  }
}

describe("a file that is recovered", () => {
  it("is whole where nothing was damaged, and only its owner may read it", async () => {
    const [path, to] = [freshPath(), freshPath()];
    await writeAll(path);

    const receipt = recoverSqliteStore({ path, to });

    const store = openSqliteStore({ path: to });
    expect(receipt).toEqual({ objects: 600, versions: 600, rowsRefused: 0, isIncomplete: false });
    expect(await readable(store)).toBe(600);
    expect(await store.check?.()).toMatchObject({ problems: [] });
    await store.close();
    if (process.platform !== "win32") expect(statSync(to).mode & 0o777).toBe(0o600);
  });

  it("has most of what a file with ten empty pages had, and all that it has is what was written", async () => {
    const path = freshPath();
    await writeAll(path);
    const whole = readFileSync(path);
    const pages = whole.length / pageBytes;
    let some = 0;

    for (let run = 0; run < files; run += 1) {
      const damaged = freshPath();
      const bytes = Buffer.from(whole);
      for (let n = 0; n < 10; n += 1) {
        const page = 2 + random.below(pages - 2);
        bytes.fill(0, page * pageBytes, (page + 1) * pageBytes);
      }
      writeFileSync(damaged, bytes);
      const to = freshPath();
      if (!isRecovered(damaged, to)) continue;
      const store = openSqliteStore({ path: to });
      expect((await store.check?.())?.problems).toEqual([]);
      some += await readable(store);
      await store.close();
    }
    // A damaged root, and that of a table that others refer to, takes all with it.
    expect(some).toBeGreaterThan((files * ids.length) / 4);
  });

  it("has each text that can be read by its row, also the one right behind an empty page", async () => {
    const path = freshPath();
    await writeAll(path);
    const whole = readFileSync(path);
    const leaves = Array.from({ length: whole.length / pageBytes }, (_, page) => page).filter(
      (page) => whole[page * pageBytes] === tableLeaf,
    );
    let lost = 0;

    for (let run = 0; run < files; run += 1) {
      const [damaged, to] = [freshPath(), freshPath()];
      const page = leaves[random.below(leaves.length)] ?? 0;
      writeFileSync(damaged, Buffer.from(whole).fill(0, page * pageBytes, (page + 1) * pageBytes));
      recoverSqliteStore({ path: damaged, to });
      const [there, taken] = [textsOf(damaged), textsOf(to)];
      lost += ids.length - there.length;
      expect(taken).toEqual(there);
    }
    expect(lost).toBeGreaterThan(0);
  });

  it.each([
    ["a text is another", "UPDATE blob SET enc = 0, data = zeroblob(size) WHERE bid = 7"],
    ["a payload says something else", "UPDATE version SET enc = 0, payload = CAST('{}' AS BLOB) WHERE vid = 7"],
  ])("lacks the document of which %s, and says how many rows it did not take", async (_what, sql) => {
    const [path, to] = [freshPath(), freshPath()];
    await writeAll(path);
    const raw = new DatabaseSync(path);
    raw.exec(`DROP TRIGGER blob_fixed; DROP TRIGGER version_fixed; ${sql}`);
    raw.close();

    const receipt = recoverSqliteStore({ path, to });

    const store = openSqliteStore({ path: to });
    // The version, and the text that it alone had.
    expect(receipt).toEqual({ objects: 600, versions: 599, rowsRefused: 2, isIncomplete: false });
    expect(await readable(store)).toBe(599);
    expect((await store.check?.())?.problems).toEqual([]);
    await store.close();
  });

  it("has what is left of a file that lost its end, which SQLite does not open", async () => {
    const [path, to] = [freshPath(), freshPath()];
    await writeAll(path);
    const whole = readFileSync(path);
    writeFileSync(path, whole.subarray(0, Math.floor((0.8 * whole.length) / pageBytes) * pageBytes));
    expect(isDamagedStore(thrownBy(() => openSqliteStore({ path })))).toBe(true);

    const receipt = recoverSqliteStore({ path, to });

    const store = openSqliteStore({ path: to });
    expect(receipt.isIncomplete).toBe(true);
    expect(await readable(store)).toBeGreaterThan(ids.length / 2);
    expect((await store.check?.())?.problems).toEqual([]);
    await store.close();
  });

  it("has all texts where a session's name was lost", async () => {
    const [path, to] = [freshPath(), freshPath()];
    await writeAll(path);
    const raw = new DatabaseSync(path, { enableForeignKeyConstraints: false });
    raw.exec("DELETE FROM session");
    raw.close();

    recoverSqliteStore({ path, to });

    const store = openSqliteStore({ path: to });
    expect((await store.history(ids[0] ?? "")).versions).toHaveLength(1);
    expect((await store.check?.())?.problems).not.toEqual([]);
    await store.close();
  });

  it("takes no path where something is, and no file that is none", async () => {
    const path = freshPath();
    await writeAll(path);
    const text = freshPath();
    writeFileSync(text, "no database ".repeat(1_000));

    expect(() => recoverSqliteStore({ path, to: text })).toThrow(
      expect.objectContaining({ code: "store/unavailable" }),
    );
    const to = freshPath();
    const noDatabase = thrownBy(() => recoverSqliteStore({ path: text, to }));
    expect(noDatabase).toMatchObject({ code: "store/corrupt" });
    expect(isDamagedStore(noDatabase)).toBe(false);
    expect(existsSync(to)).toBe(false);
    expect(() => recoverSqliteStore({ path: freshPath(), to: freshPath() })).toThrow(/no such file/);
  });
});

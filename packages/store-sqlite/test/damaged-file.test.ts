// Verifies: F13 as far as reading goes, T18: damage is named by object, and nothing of what was stored is quoted.
import { closeSync, openSync, writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { openSqliteStore } from "../src/index.ts";
import { toolcall } from "./support/documents.ts";
import { freshPath } from "./support/folder.ts";

const canary = "qzXkWvJ0pLm3RtY7";
const call = toolcall("call", `${canary} ${"compressible ".repeat(100)}`, { args: { note: canary.repeat(8) } });

describe("an object with", () => {
  const damages: readonly (readonly [string, string])[] = [
    ["a payload of garbage", "UPDATE version SET payload = x'ffffff'"],
    ["an empty payload", "UPDATE version SET payload = x''"],
    ["a payload cut short", "UPDATE version SET payload = substr(payload, 1, length(payload) - 3)"],
    ["a plain payload that is no JSON", `UPDATE version SET enc = 0, payload = CAST('"${canary}' AS BLOB)`],
    ["a plain payload that is no object", `UPDATE version SET enc = 0, payload = CAST('"${canary}"' AS BLOB)`],
    ["a mark that nobody knows", "UPDATE version SET enc = 0, payload = x'7b1f7d'"],
    ["a payload of a later encoding", "UPDATE version SET enc = 9"],
    ["a text of garbage", "UPDATE blob SET data = x'ffffff'"],
    ["a text cut short", "UPDATE blob SET data = substr(data, 1, length(data) - 3)"],
    ["a text of another size", "UPDATE blob SET size = size + 1"],
    ["a text that grows past its size", "UPDATE blob SET size = 10"],
    ["a text of a later encoding", "UPDATE blob SET enc = 9"],
  ];
  for (const [title, sql] of damages) {
    it(`${title} is corrupt, by name`, async () => {
      const path = freshPath();
      const store = openSqliteStore({ path });
      await store.commit([{ document: call, expect: "any" }]);
      const raw = new DatabaseSync(path);
      raw.exec(`DROP TRIGGER version_fixed; DROP TRIGGER blob_fixed; ${sql}`);
      raw.close();

      const error: unknown = await store.getMany(["call"]).catch((thrown) => thrown);

      expect(error).toMatchObject({ code: "store/corrupt", data: { id: "call" } });
      expect(`${error} ${JSON.stringify(error)} ${Object(error).cause}`).not.toContain(canary);
      await store.close();
    });
  }
});

it("a damaged page is corrupt", async () => {
  const path = freshPath();
  const store = openSqliteStore({ path });
  const writes = Array.from({ length: 300 }, (_, n) => ({
    document: toolcall(`call ${n}`, `${n}`),
    expect: "any" as const,
  }));
  await store.commit(writes);
  await store.close();
  const handle = openSync(path, "r+");
  for (let page = 2; page < 60; page += 1) writeSync(handle, Buffer.alloc(200, 0xa5), 0, 200, page * 4096);
  closeSync(handle);

  const reading = async () => {
    await openSqliteStore({ path }).find({ type: "toolcall" }, { documents: true });
  };

  await expect(reading()).rejects.toMatchObject({ code: "store/corrupt" });
});

// Verifies: SSOT 1.3 and 2.2 at the lowest level: another program that opens the file cannot change committed data by
// mistake.
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { openSqliteStore } from "../src/index.ts";
import { file, toolcall } from "./support/documents.ts";
import { freshPath } from "./support/folder.ts";

const refused = /append-only|immutable|are kept/;

/** A file with two objects, one of them erased. */
async function open(): Promise<DatabaseSync> {
  const path = freshPath();
  const store = openSqliteStore({ path });
  await store.commit(
    [
      { document: toolcall("kept", "text"), expect: "any" },
      { document: file("/kept", "other"), expect: "any" },
      { document: toolcall("erased", "secret"), expect: "any" },
    ],
    { requestId: "r1" },
  );
  await store.erase(["erased"], "leaked");
  await store.close();
  return new DatabaseSync(path);
}

describe("the file refuses to", () => {
  const changes: readonly (readonly [string, string])[] = [
    ["change a payload", "UPDATE version SET payload = x'7b7d' WHERE erased IS NULL"],
    ["take a payload without an erasure", "UPDATE version SET payload = NULL, bid = NULL WHERE erased IS NULL"],
    ["move a version in time", "UPDATE version SET valid_from = 0"],
    [
      "erase under an older erasure",
      "INSERT INTO tx VALUES (3, 9e12); UPDATE version SET erased = 2, payload = NULL, bid = NULL, session_id = NULL, tool = NULL WHERE erased IS NULL",
    ],
    ["change an erasure", "UPDATE version SET erased = 1 WHERE erased IS NOT NULL"],
    ["change the reason of an erasure", "UPDATE erasure SET reason = 'none'"],
    ["delete an erasure", "DELETE FROM erasure"],
    ["delete a version", "DELETE FROM version"],
    ["change a text", "UPDATE blob SET data = x'00'"],
    ["delete a text that is in use", "DELETE FROM blob"],
    [
      "delete a text without an erasure",
      "INSERT INTO blob VALUES (9, zeroblob(32), 1, 0, x'00'); INSERT INTO tx VALUES (3, 9e12); DELETE FROM blob WHERE bid = 9",
    ],
    ["rename an object", "UPDATE object SET id = id || '2'"],
    ["delete an object", "DELETE FROM object"],
    ["rename a type", "UPDATE kind SET type = 'x'"],
    ["delete a type", "DELETE FROM kind"],
    ["move a file", "UPDATE source SET path = '/elsewhere'"],
    ["delete a binding", "DELETE FROM source"],
    ["change a transaction", "UPDATE tx SET time = 0"],
    ["delete a transaction", "DELETE FROM tx"],
    ["change a receipt", "UPDATE request SET results = ''"],
    ["delete a receipt", "DELETE FROM request"],
  ];
  for (const [title, sql] of changes) {
    it(title, async () => {
      const database = await open();

      expect(() => database.exec(`BEGIN; ${sql}; COMMIT`)).toThrow(refused);

      database.close();
    });
  }
});

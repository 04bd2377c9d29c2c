// @module-tag process
// Verifies: F13: rows that another program changed in a SQLite file are found by their names, and end no verification early.
import { copyFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { lineageTypes, openLineage } from "@cm/lineage";
import { openSqliteStore } from "@cm/store-sqlite";
import { beforeAll, expect, it } from "vitest";
import { inProcess } from "../support/in-process.ts";
import { sampleFolder } from "../support/sample-file.ts";

const sample = sampleFolder();

/** Records that are listed by their fields, beside the sessions of the sample. */
beforeAll(async () => {
  const store = openSqliteStore({ path: sample.store, types: lineageTypes });
  const lineage = await openLineage({ store });
  for (const id of ["first", "second"]) await lineage.root({ id, input: "Plan a garden", presetId: "gardener" });
  await store.close();
});

let files = 0;

/** A copy of the sample after some SQL that the store's own triggers would refuse. */
function changed(sql: string): string {
  files += 1;
  const path = sample.at(`changed-${files}.sqlite`);
  copyFileSync(sample.store, path);
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  const triggers = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`);
  database.exec(sql);
  for (const { sql: definition } of triggers) database.exec(`${definition}`);
  database.close();
  return path;
}

it.each([
  ["UPDATE kind SET type = 'filet' WHERE type = 'file'", /^stamp {2}[0-9a-f]{64} {2}the store's type of it is none/m],
  ["UPDATE kind SET type = 'p' WHERE type = 'system_prompt'", /^stamp {2}system_prompt:alpha {2}the store's type/m],
  [
    "UPDATE field_key SET text = text || 'x' WHERE text LIKE '%conversation_id%first%'",
    /^store {2}run:first {2}a list by/m,
  ],
  [
    "DELETE FROM field WHERE key_id IN (SELECT key_id FROM field_key WHERE text = '')",
    /^store {2}run:second {2}a list by/m,
  ],
  [
    "UPDATE field SET newest = newest + 1000000000 WHERE oid = (SELECT oid FROM object WHERE id = 'run:first')",
    /^store {2}run:\w+ {2}a list by/m,
  ],
  ["UPDATE kind SET type = 'l' WHERE type = 'lease'", /^stamp {2}lease:alpha {2}the store's type/m],
  [
    "UPDATE tx SET time = 8640000000000001 WHERE tx_id = (SELECT max(tx_id) FROM tx)",
    /^unreadable .*time that is none/m,
  ],
  ["UPDATE tx SET time = 9007199254740993 WHERE tx_id = 5", /^store {2}store {2}A time or a number of a row/m],
  [
    "UPDATE version SET bid = 9007199254740993 WHERE vid = 3",
    /^unreadable {2}store {2}not all objects of type \w+ can be/m,
  ],
  [
    "CREATE TRIGGER theirs BEFORE INSERT ON tx BEGIN SELECT RAISE(ABORT, 'no'); END",
    /^store {2}store {2}The trigger theirs is another program's/m,
  ],
])("%s is found", async (sql, finding) => {
  const { status, stdout, stderr } = await inProcess(["--store", changed(sql), "verify"]);

  expect(stdout).toMatch(finding);
  expect(stderr).toMatch(/\d+ objects checked: \d+ findings?; restore them from a copy\./);
  expect(status).toBe(1);
});

it("a call that is there as something else is lost, and not erased", async () => {
  const kind = "(SELECT kind_id FROM kind WHERE type = 'chat')";
  const store = changed(`UPDATE object SET kind_id = ${kind} WHERE id = 'call-alpha-1'`);

  const [shown, prompt] = await Promise.all(
    [
      ["show", "alpha"],
      ["at", "alpha@1", "--prompt"],
    ].map((args) => inProcess(["--store", store, ...args])),
  );

  expect(shown?.stdout).toMatch(/^t1 +active +missing/m);
  expect(prompt).toMatchObject({ status: 1, stderr: expect.stringContaining("The store has lost 1 object") });
});

it.each([
  "DELETE FROM session",
  "UPDATE session SET name = 'another' WHERE name = 'alpha'",
  "UPDATE session SET session_id = 77 WHERE name = 'alpha'",
  "DELETE FROM tx WHERE tx_id > 1",
  "UPDATE tx SET time = 9007199254740993 WHERE tx_id = 3",
  "UPDATE tx SET time = 8640000000000001 WHERE tx_id = (SELECT max(tx_id) FROM tx)",
  "DELETE FROM kind WHERE type IN ('file', 'toolcall', 'step', 'session')",
])("a file is as it was after %s and a recovery", async (sql) => {
  const [store, recovered] = [changed(sql), sample.at(`recovered-${files}.sqlite`)];
  const of = (path: string) => (args: readonly string[]) => inProcess(["--store", path, ...args]);

  await of(store)(["doctor", "--recover", recovered]);

  const asked = [
    ["sessions"],
    ["at", "alpha@1", "--prompt"],
    ["requests", "alpha"],
    ["show", "beta"],
    ["conversations"],
  ];
  const [said, before] = await Promise.all([recovered, sample.store].map((path) => Promise.all(asked.map(of(path)))));
  expect(said).toEqual(before);
  expect(await of(recovered)(["verify"])).toMatchObject({ status: 0 });
  expect((await of(recovered)(["doctor"])).stdout).not.toMatch(/^fail/m);
});

it("a copy of a store that has lost something says so", async () => {
  const store = changed("DELETE FROM version WHERE oid = (SELECT oid FROM object WHERE id = 'lease:beta')");

  const { status, stderr } = await inProcess(["--store", store, "copy", "--to", sample.at("copy.sqlite")]);

  expect(stderr).toMatch(/is damaged: what it has lost is not in the copy\. Run cm --store \S+ verify\./);
  expect(status).toBe(1);
});

it("a copy refuses what is listed as a step and is none", async () => {
  const kind = "SELECT kind_id FROM kind WHERE type = 'step'";
  const store = changed(`UPDATE object SET kind_id = (${kind}) WHERE id = 'chat:alpha'`);

  const { status, stderr } = await inProcess(["--store", store, "copy", "--to", sample.at("listed.sqlite")]);

  expect(stderr).toMatch(/^cm: An object of type step cannot carry this id\.$/m);
  expect(status).toBe(4);
});

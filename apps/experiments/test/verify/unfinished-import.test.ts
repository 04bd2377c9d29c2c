// Verifies: SSOT 3.11, F13: `check` says that an import was cut, and does not call it damage.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { leaseId, sealDocument, sessionObjectId } from "@cm/object-model";
import { openSqliteStore } from "@cm/store-sqlite";
import { expect, it, onTestFinished } from "vitest";
import { checkDatabases } from "../../src/check/check-database.ts";
import { check, checkStatus } from "../../src/commands/check.ts";

it("says what is to be repeated, with a status of its own", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cm-check-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "cut.sqlite");
  const store = openSqliteStore({ path });
  const lease = { owner: "an import", acquired_at: 1, expires_at: 1, bundle: "unfinished" as const };
  const payload = { content: null, session_ref: sessionObjectId("s"), ...lease };
  await store.commit([{ document: sealDocument({ type: "lease", id: leaseId("s") }, payload), expect: "absent" }]);
  await store.close();

  const said: unknown[] = [];
  for await (const one of checkDatabases([path])) said.push(one);

  const problem = "an import of session s was not finished; repeat it";
  expect(said).toEqual([{ database: path, problem, isUnfinished: true }]);
  expect(checkStatus[await check([path], { json: true })]).toBe(7);
});

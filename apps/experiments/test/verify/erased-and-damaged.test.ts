// Verifies: F13: an erased text in a request does not hide that another one of it is damaged.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultPrices } from "@cm/context-log";
import type { Recording } from "@cm/recordings";
import { layouts } from "@cm/render";
import { replayRecording } from "@cm/replay";
import { generatedContent } from "@cm/replay/generated";
import { eraseObjects } from "@cm/session";
import { openSqliteStore } from "@cm/store-sqlite";
import { expect, it, onTestFinished } from "vitest";
import { checkDatabases, type DatabaseProblem, type SessionCheck } from "../../src/check/check-database.ts";
import { check, checkStatus } from "../../src/commands/check.ts";
import { openUnguarded, rowsOf } from "./support/tampering.ts";

it("says both, with the status of damage", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cm-erased-and-damaged-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "store.sqlite");
  const [erased, damaged] = await writeSession(path);
  const sound = await saidOf(path);
  const soundStatus = checkStatus[await check([path], { json: true })];

  giveTextOf(path, { to: damaged, from: erased });
  const said = await saidOf(path);
  const status = checkStatus[await check([path], { json: true })];

  expect(sound).toEqual([expect.objectContaining({ missing: 0 })]);
  expect(soundStatus).toBe(0);
  const problems = said.filter((one): one is DatabaseProblem => "problem" in one).map(({ problem }) => problem);
  expect(problems).toContainEqual(expect.stringContaining(damaged));
  expect(status).toBe(1);
});

/** @returns the call that was erased, and one that stands in the same requests */
async function writeSession(path: string): Promise<readonly [string, string]> {
  const content = generatedContent({ seed: 7, calls: 6, lines: 60 });
  const recording: Recording = { ...content, format: "pi", id: "made", cwd: "/made", skippedLines: 0, warnings: [] };
  const store = openSqliteStore({ path });
  await replayRecording(recording, { store, layout: layouts.log, session: "made", prices: defaultPrices });
  const { versions } = await store.find({ type: "toolcall" });
  const [first, second] = versions.map(({ id }) => id);
  if (first === undefined || second === undefined) return expect.unreachable();
  await eraseObjects(store, [first], "a test");
  await store.close();
  return [first, second];
}

function giveTextOf(path: string, { to, from }: { readonly to: string; readonly from: string }): void {
  const database = openUnguarded(path);
  const rows = rowsOf(database);
  const row = rows.find(({ id }) => id === to);
  const other = rows.find(({ id, bid }) => id !== to && id !== from && bid !== null && bid !== row?.bid);
  database.prepare("UPDATE version SET bid = ? WHERE vid = ?").run(other?.bid ?? null, row?.vid ?? null);
  database.close();
}

async function saidOf(path: string): Promise<readonly (SessionCheck | DatabaseProblem)[]> {
  const said: (SessionCheck | DatabaseProblem)[] = [];
  for await (const one of checkDatabases([path])) said.push(one);
  return said;
}

// Verifies: SSOT 2.8, decision 112: the index of declared fields keeps to what holds, and leaves nothing behind.
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { ObjectDocument } from "@cm/object-model";
import { openSqliteStoreInThread } from "@cm/store-sqlite";
import { sampleTicket, sampleTypes, type TicketFacts } from "@cm/testkit";
import { expect, it } from "vitest";
import { findStatement } from "../src/find-query.ts";
import { openSqliteStore, recoverSqliteStore } from "../src/index.ts";
import { freshPath } from "./support/folder.ts";

const types = sampleTypes;
const job = (n: number, fields: TicketFacts): ObjectDocument => sampleTicket(`${n}`, { opened_at: n, ...fields });

const rowsIn = (path: string, table: string): number => {
  const file = new DatabaseSync(path, { readOnly: true });
  const count = Number(file.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n);
  file.close();
  return count;
};

it("an object takes the same room in the index however often it changed", async () => {
  const path = freshPath();
  const store = openSqliteStore({ path, types, synchronous: "normal" });

  for (let n = 0; n < 50; n += 1) {
    await store.commit([{ document: job(1, { status: `s${n}`, labels: { round: n } }), expect: "any" }]);
  }

  // All tickets, the status, the object `labels` and its member.
  expect(rowsIn(path, "field")).toBe(4);
  expect(rowsIn(path, "field_key")).toBe(4);
  const { versions } = await store.find({ type: "ticket", where: { status: "s49", labels: { round: 49 } } });
  expect(versions.map(({ id }) => id)).toEqual(["ticket:1"]);
  await store.close();
});

it("an erasure leaves no value of an indexed field in the file", async () => {
  const path = freshPath();
  const store = openSqliteStore({ path, types });
  await store.commit([
    { document: job(1, { status: "open", labels: { owner: "a name that leaked" } }), expect: "absent" },
    { document: job(2, { status: "open" }), expect: "absent" },
  ]);
  const says = () => [path, `${path}-wal`].some((file) => readFileSync(file, "latin1").includes("a name that leaked"));
  expect(says()).toBe(true);

  await store.erase(["ticket:1"], "leaked");

  expect(says()).toBe(false);
  expect((await store.find({ type: "ticket", where: { status: "open" } })).versions.map(({ id }) => id)).toEqual([
    "ticket:2",
  ]);
  await store.close();
});

it("a page newest first sorts no more than objects of the same time", () => {
  const path = freshPath();
  void openSqliteStore({ path, types }).close();
  const file = new DatabaseSync(path);
  const statement = findStatement({ start: "fields", order: "newest" }).replaceAll("whole(", "(");

  const plan = file
    .prepare(`EXPLAIN QUERY PLAN ${statement}`)
    .all()
    .map(({ detail }) => `${detail}`);

  expect(plan[0]).toMatch(/SEARCH c USING (COVERING )?INDEX field_newest \(key_id=\? AND newest<\?\)/);
  expect(plan).toContain("USE TEMP B-TREE FOR LAST TERM OF ORDER BY");
  file.close();
});

it("a file of schema version 2 gets the index, and finds what is written from then on", async () => {
  const path = freshPath();
  const file = new DatabaseSync(path, { defensive: false });
  file.exec(readFileSync(new URL("./fixtures/version-2.sql", import.meta.url), "utf8"));
  file.close();

  const store = openSqliteStore({ path, types });
  await store.commit([{ document: job(1, { status: "open" }), expect: "absent" }]);

  const { versions } = await store.find({ type: "ticket", where: { status: "open" } }, { order: "newest" });
  expect(versions.map(({ id }) => id)).toEqual(["ticket:1"]);
  await store.close();
});

it("a store in a thread of its own takes the declarations of its opener", async () => {
  const store = await openSqliteStoreInThread({ path: freshPath(), types });
  await store.commit([1, 2, 3].map((n) => ({ document: job(n, { status: "open" }), expect: "absent" as const })));

  const first = await store.find({ type: "ticket", where: { status: "open" } }, { order: "newest", limit: 2 });
  const rest = await store.find({ type: "ticket" }, { order: "newest", limit: 2, cursor: first.next ?? "" });

  expect([...first.versions, ...rest.versions].map(({ id }) => id)).toEqual(["ticket:3", "ticket:2", "ticket:1"]);
  await expect(store.find({ type: "ticket", where: { note: "x" } })).rejects.toMatchObject({
    code: "store/unsupported",
  });
  await store.close();
});

it("a recovered file finds by fields what the damaged one found", async () => {
  const [path, to] = [freshPath(), freshPath()];
  const store = openSqliteStore({ path, types });
  await store.commit(
    [1, 2].map((n) => ({ document: job(n, { status: n === 1 ? "open" : "done" }), expect: "any" as const })),
  );
  await store.close();

  recoverSqliteStore({ path, to });

  const recovered = openSqliteStore({ path: to, types });
  const { versions } = await recovered.find({ type: "ticket", where: { status: "done" } }, { order: "newest" });
  expect(versions.map(({ id }) => id)).toEqual(["ticket:2"]);
  await recovered.close();
});

// Verifies: SSOT 7.4: a locked or slow file blocks no event loop; T18, errors keep their message and no more.
import { existsSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isCmError, type ObjectStore, sealDocument } from "@cm/object-model";
import { openSqliteStore, openSqliteStoreInThread } from "@cm/store-sqlite";
import { runWriter } from "@cm/testkit";
import { expect, it } from "vitest";
import { freshPath } from "../support/folder.ts";

const prompt = (content: string) =>
  sealDocument({ type: "system_prompt", id: "system_prompt:demo" }, { content, session_ref: "session:demo" });
const put = (store: ObjectStore, content: string) => store.commit([{ document: prompt(content), expect: "any" }]);
const textIn = async (store: ObjectStore) =>
  (await store.getMany(["system_prompt:demo"])).get("system_prompt:demo")?.document?.content;
const withCode = (code: string) => expect.objectContaining({ code });

/** Another connection that holds the write lock until it is let go. */
function locked(path: string): { release(): void } {
  const other = new DatabaseSync(path);
  other.exec("BEGIN IMMEDIATE");
  return {
    release() {
      other.exec("COMMIT");
      other.close();
    },
  };
}

it("leaves the caller's loop free while another holds the lock, and then writes", async () => {
  const path = freshPath();
  const store = await openSqliteStoreInThread({ path });
  await put(store, "first");
  const lock = locked(path);
  let answered = false;

  const committing = put(store, "second").finally(() => {
    answered = true;
  });
  const read = textIn(store);
  for (let turn = 0; turn < 1_000; turn += 1) await setImmediate();
  const answeredWhileLocked = answered;
  lock.release();
  await committing;

  expect(answeredWhileLocked).toBe(false);
  expect(await read).toBe("second");
  await store.close();
});

it("gives up a lock after busyTimeoutMs, and goes on after it", async () => {
  const path = freshPath();
  const store = await openSqliteStoreInThread({ path, busyTimeoutMs: 150 });
  const lock = locked(path);

  await expect(put(store, "text")).rejects.toEqual(withCode("store/unavailable"));
  lock.release();
  await put(store, "text");

  expect(await textIn(store)).toBe("text");
  await store.close();
});

it("answers in the order of the calls, and does what was asked before it closes", async () => {
  const path = freshPath();
  const store = await openSqliteStoreInThread({ path });
  const order: string[] = [];
  const calls = [
    put(store, "one").then(() => order.push("write")),
    store.find({ type: "system_prompt", text: "one" }).then(() => order.push("search")),
    textIn(store).then(() => order.push("read")),
    store.close().then(() => order.push("close")),
  ];

  await Promise.all(calls);

  expect(order).toEqual(["write", "search", "read", "close"]);
  await expect(put(store, "late")).rejects.toEqual(withCode("store/closed"));
  const again = openSqliteStore({ path });
  expect(await textIn(again)).toBe("one");
  await again.close();
});

it("says of an error what the store itself says", async () => {
  const path = freshPath();
  const here = openSqliteStore({ path });
  const there = await openSqliteStoreInThread({ path });
  await put(here, "text");
  const create = (store: ObjectStore) => store.commit([{ document: prompt("other"), expect: "absent" }]);

  const [fromHere, fromThere] = await Promise.allSettled([create(here), create(there)]);

  const reasons = [fromHere, fromThere].map((end) => (end.status === "rejected" ? end.reason : undefined));
  expect(reasons.every((reason) => isCmError(reason, "store/conflict"))).toBe(true);
  expect(JSON.stringify(reasons[1])).toBe(JSON.stringify(reasons[0]));
  await Promise.all([here.close(), there.close()]);
});

it("refuses what is no data without saying what it was", async () => {
  const store = await openSqliteStoreInThread({ path: ":memory:" });
  const page = { documents: Symbol("secret") };

  // @ts-expect-error a caller without types
  const refusal = await store.history("call", page).catch((error: unknown) => error);

  expect(isCmError(refusal, "store/unsupported")).toBe(true);
  expect(JSON.stringify(refusal)).not.toContain("secret");
  await store.close();
});

it("does not open what is no store, and leaves no thread behind", async () => {
  const path = freshPath("notes.txt");
  writeFileSync(path, "my notes, which are no database ".repeat(200));

  await expect(openSqliteStoreInThread({ path })).rejects.toEqual(withCode("store/corrupt"));
  await expect(openSqliteStoreInThread({ path: "" })).rejects.toEqual(withCode("store/unavailable"));
});

it("tells a damaged text when it is looked at, where texts may come later", async () => {
  const path = freshPath();
  const store = await openSqliteStoreInThread({ path });
  await put(store, "a text of some length ".repeat(40));
  const database = new DatabaseSync(path);
  database.exec("DROP TRIGGER blob_fixed; UPDATE blob SET data = x'00'");
  database.close();

  const later = await store.getMany(["system_prompt:demo"], undefined, { texts: "later" });

  expect(later.get("system_prompt:demo")?.document?.session_ref).toBe("session:demo");
  expect(() => later.get("system_prompt:demo")?.document?.content).toThrow(withCode("store/corrupt"));
  await expect(textIn(store)).rejects.toEqual(withCode("store/corrupt"));
  await store.close();
});

it("keeps a state cache in the same thread, and every failure of it is nothing known", async () => {
  const store = await openSqliteStoreInThread({ path: ":memory:" });
  const path = freshPath("states.db");
  const cache = await store.openStateCache({ path });

  await cache.save(new Map([["file", { hint: "stat", absent: true }]]));

  expect(await cache.load(["file", "other"])).toEqual(new Map([["file", { hint: "stat", absent: true }]]));
  await expect(store.openStateCache({ path: ":memory:" })).rejects.toEqual(withCode("store/unavailable"));
  await cache.close?.();
  expect(await cache.load(["file"])).toEqual(new Map());
  await store.close();
  expect(await cache.load(["file"])).toEqual(new Map());
});

it("keeps a process alive for an open call only, and prints nothing", async () => {
  const path = freshPath();

  const end = await runWriter({ script: scriptOf("idle-process.ts"), args: [path] });

  expect(end).toEqual({ lines: [], exitCode: 0, stderr: "" });
  expect(existsSync(path)).toBe(true);
  const store = openSqliteStore({ path });
  expect(await textIn(store)).toBe("written without waiting");
  await store.close();
});

function scriptOf(name: string): string {
  return fileURLToPath(new URL(`../support/${name}`, import.meta.url));
}

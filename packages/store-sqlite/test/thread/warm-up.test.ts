// Verifies: SSOT 2.8, 7.4: a store's thread may start before its file is known.
import { openSqliteStoreInThread } from "@cm/store-sqlite";
import { coolDownStoreThread, warmUpStoreThread } from "@cm/store-sqlite/warm-up";
import { expect, it } from "vitest";
import { startWorker } from "../../src/thread/workers.ts";
import { freshPath } from "../support/folder.ts";

const script = new URL("../support/no-such-worker.ts", import.meta.url);
/** Threads are numbered as they start. */
const nextThread = async () => {
  const worker = startWorker(script).on("error", () => {});
  const id = worker.threadId;
  await worker.terminate();
  return id;
};

it("is used by the next store, once", async () => {
  warmUpStoreThread();
  warmUpStoreThread();
  const before = await nextThread();

  const first = await openSqliteStoreInThread({ path: freshPath() });
  const between = await nextThread();
  const second = await openSqliteStoreInThread({ path: freshPath() });
  const after = await nextThread();

  expect(between - before).toBe(1);
  expect(after - between).toBe(2);
  await Promise.all([first.close(), second.close()]);
});

it("is not used once it was ended", async () => {
  warmUpStoreThread();
  coolDownStoreThread();
  const before = await nextThread();

  const store = await openSqliteStoreInThread({ path: freshPath() });

  expect((await nextThread()) - before).toBe(2);
  await store.close();
});

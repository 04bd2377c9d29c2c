// Verifies: SSOT 7.4: what was committed survives power loss: commits wait until the disk has them.
import type { Worker } from "node:worker_threads";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { compactSqliteStore, openSqliteStore } from "../src/index.ts";
import { openSqliteStoreInThread } from "../src/thread/open-in-thread.ts";
import { startWorker } from "../src/thread/workers.ts";
import { toolcall } from "./support/documents.ts";
import { freshPath } from "./support/folder.ts";
import { onSynchronousAtClose } from "./support/synchronous-at-close.ts";
import { onSynchronousOfCommits } from "./support/synchronous-of-commits.ts";

const spare = vi.hoisted((): { worker?: Worker } => {
  // Other test files of this process load the threads as they are, before this one and after it.
  vi.resetModules();
  return {};
});
vi.mock("../src/thread/workers.ts", async (original) => ({
  ...(await original<object>()),
  takeStoreWorker: () => spare.worker,
}));

afterAll(() => {
  vi.doUnmock("../src/thread/workers.ts");
  vi.resetModules();
});

const [full, normal] = [2, 1];

/** What this thread's commits wait for. */
function levelsHere(): readonly number[] {
  const levels: number[] = [];
  onTestFinished(onSynchronousOfCommits((level) => levels.push(level)));
  return levels;
}

/** The same of the thread of the store that is opened next. */
function levelsInThread(): readonly number[] {
  const levels: number[] = [];
  spare.worker = startWorker(new URL("./support/telling-worker.ts", import.meta.url));
  spare.worker.on("message", ({ answer }) => {
    if (answer?.synchronous !== undefined) levels.push(answer.synchronous);
  });
  return levels;
}

describe.each([
  { where: "in this thread", open: openSqliteStore, levelsOf: levelsHere },
  { where: "in a thread of its own", open: openSqliteStoreInThread, levelsOf: levelsInThread },
])("a store $where", ({ open, levelsOf }) => {
  it.each([
    ["waits for the disk where nothing else is asked for", {}, [full, full]],
    ["waits for the disk where that is asked for", { synchronous: "full" }, [full, full]],
    ["waits for it only when it is closed where `normal` is asked for", { synchronous: "normal" }, [normal, full]],
  ] as const)("%s", async (_, options, newest) => {
    const levels = levelsOf();
    const store = await open({ path: freshPath(), ...options });
    await store.commit([{ document: toolcall("call", "text"), expect: "absent" }]);

    await store.close();

    expect(levels.slice(-2)).toEqual(newest);
  });
});

it("a file is written anew with waits for the disk, however it was written before", async () => {
  const path = freshPath();
  await openSqliteStore({ path, synchronous: "normal" }).close();
  const levels: number[] = [];
  onTestFinished(onSynchronousAtClose((level) => levels.push(level)));

  compactSqliteStore({ path });

  // An old SQLite has a second connection hold the write lock meanwhile.
  expect([...new Set(levels)]).toEqual([full]);
});

// Verifies: SSOT 5.11, F11: a call that never comes back costs its deadline and a thread, never the caller's loop.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { FileThread } from "../src/indexing/file-thread.ts";
import { AvoidedFolders } from "../src/source/avoided-folders.ts";
import { freshFolder } from "./support/folder.ts";
import { at, bounds, look, openSource, present } from "./support/source.ts";

/** A running thread that did its first task, and does this with each other one. */
async function threadThat(does: string): Promise<FileThread> {
  const program = `
    import { parentPort } from "node:worker_threads";
    parentPort.once("message", ({ id }) => {
      parentPort.on("message", (order) => { ${does} });
      parentPort.postMessage({ id, pieces: [], done: true });
    });`;
  const script = new URL(`data:text/javascript,${encodeURIComponent(program)}`);
  const thread = new FileThread({ script, data: {}, stuckMs: 1 });
  onTestFinished(() => thread.close());
  expect(await thread.run(task, { onReply: () => {} }, { deadlineMs: 60_000 })).toBe("done");
  return thread;
}

const task = { kind: "bind" as const, agentPaths: ["/a"] };
const hangs = `Atomics.store(order.control, 1, 3); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`;

describe("the reading thread", () => {
  it("is given up at the deadline when it hangs, says where, and is replaced", async () => {
    const thread = await threadThat(hangs);
    const stuck = Promise.withResolvers<number>();

    const ending = await thread.run(task, { onReply: () => {}, onStuck: stuck.resolve }, { deadlineMs: 1_000 });

    expect(ending).toBe("timed out");
    expect(await stuck.promise).toBe(2);
    expect(thread.startedNow()).toBe(2);
  });

  it("takes what else it was asked down with it", async () => {
    const thread = await threadThat(hangs);
    const other = thread.run(task, { onReply: () => {} }, { deadlineMs: 60_000 });

    await thread.run(task, { onReply: () => {} }, { deadlineMs: 1_000 });

    expect(await other).toBe("reading thread lost");
  });

  it("is replaced when it dies", async () => {
    const thread = await threadThat("process.exit(1);");

    expect(await thread.run(task, { onReply: () => {} }, { deadlineMs: 60_000 })).toBe("reading thread lost");
    expect(thread.startedNow()).toBe(2);
  });

  it("ends every task when it is closed, also one that hangs", async () => {
    const thread = await threadThat(hangs);
    const running = thread.run(task, { onReply: () => {} }, { deadlineMs: 60_000 });

    await thread.close();

    expect(await running).toBe("closed");
    expect(await thread.run(task, { onReply: () => {} }, { deadlineMs: 60_000 })).toBe("closed");
  });

  it("is given up when the caller is", async () => {
    const thread = await threadThat(hangs);
    const caller = new AbortController();
    const running = thread.run(task, { onReply: () => {} }, { deadlineMs: 60_000, signal: caller.signal });

    caller.abort();

    expect(await running).toBe("aborted");
  });
});

describe("a source", () => {
  it("answers everything after its end", async () => {
    const root = freshFolder();
    writeFileSync(join(root, "file"), "text");
    const source = openSource(root);
    const running = source.observe([{ binding: at(join(root, "never")) }], bounds);

    await source.close();

    expect(await running).toEqual([{ kind: "unreachable", reason: "closed" }]);
    expect(await look(source, join(root, "file"))).toEqual({ kind: "unreachable", reason: "closed" });
  });

  it("takes a state from elsewhere as often as it is given, frozen or not", async () => {
    // A file that is as it was for a while: the source remembers it by the state.
    const file = import.meta.filename;
    const { state } = await present(openSource(import.meta.dirname), file);
    const source = openSource(import.meta.dirname);

    for (const known of [Object.freeze({ ...state }), { ...state }]) {
      for (let time = 0; time < 2; time += 1) {
        const same = { binding: at(file), known };

        expect(await source.observe([same, same], bounds)).toMatchObject([
          { kind: "unchanged" },
          { kind: "unchanged" },
        ]);
      }
    }
  });

  it("asks nothing of a folder that a thread got stuck in, for a while", () => {
    let now = 0;
    const avoided = new AvoidedFolders(() => now);
    avoided.add("/mnt/dead/a/file");

    expect(avoided.has("/mnt/dead/a/other")).toBe(true);
    expect(avoided.has("/mnt/dead/a/b/other")).toBe(true);
    expect(avoided.has("/mnt/dead/ab/other")).toBe(false);
    now = 60_000;
    expect(avoided.has("/mnt/dead/a/other")).toBe(false);
  });
});

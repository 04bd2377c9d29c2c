// @module-tag xtdb
// @module-tag long
// Verifies: SSOT 2.8, 3.7: several processes share the database.
import { expect, it } from "vitest";
import { freshNamespace, type LiveNode, withNode } from "./support/live-node.ts";
import { campaign } from "./support/random.ts";
import { runWriter, type WriterTask } from "./support/writer-process.ts";

const count = campaign ? 200 : 6;

withNode("processes on one XTDB", (node) => {
  it("that put documents, some to one object, lose none", async () => {
    const namespace = freshNamespace();
    const writers = 4;

    const ends = await runAll(node, { namespace, writers, how: "puts" });

    expect(ends).toEqual(ends.map(() => ({ acknowledged: count, exitCode: 0, stderr: "" })));
    const store = node.open({ namespace });
    const ids = Array.from({ length: writers * count }, (_, n) => `writer${n % writers}-${Math.floor(n / writers)}-`);
    const found = await store.getMany([...ids.map((id) => `${id}0`), ...ids.map((id) => `${id}1`)]);
    expect(found.size).toBe(2 * writers * count);
    const { versions } = await store.history("shared", { documents: true });
    expect(new Set(versions.map(({ document }) => document?.content)).size).toBe(writers * count);
  });

  it("that compare and set a counter lose no step", async () => {
    const namespace = freshNamespace();
    const writers = campaign ? 8 : 4;

    const ends = await runAll(node, { namespace, writers, how: "increments" });

    expect(ends).toEqual(ends.map(() => ({ acknowledged: count, exitCode: 0, stderr: "" })));
    const counter = (await node.open({ namespace }).getMany(["counter"])).get("counter");
    expect(counter?.document?.content).toBe(`${writers * count}`);
  });
});

function runAll({ urls }: LiveNode, task: { namespace: string; writers: number; how: WriterTask["how"] }) {
  const names = Array.from({ length: task.writers }, (_, place) => `writer${place}`);
  return Promise.all(names.map((name) => runWriter({ ...task, urls, name, count })));
}

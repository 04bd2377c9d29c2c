// @module-tag process
// Verifies: SSOT 2.8, 3.7: several processes share the file, and the same call may come twice.
import { expect, it } from "vitest";
import { openSqliteStore } from "../src/index.ts";
import { freshPath } from "./support/folder.ts";
import { campaign } from "./support/random.ts";
import { runWriter, type WriterTask } from "./support/writer-process.ts";

const count = campaign ? 1_500 : 75;

// Four are two and two more.
for (const writers of campaign ? [2, 4] : [4]) {
  it(`${writers} processes that put documents lose none`, async () => {
    const path = freshPath();

    const ends = await runAll(path, { writers, how: "puts" });

    expect(ends).toEqual(ends.map(() => ({ acknowledged: count, exitCode: 0, stderr: "" })));
    const store = openSqliteStore({ path });
    const ids = Array.from({ length: writers * count }, (_, n) => `writer${n % writers}-${Math.floor(n / writers)}-`);
    const found = await store.getMany([...ids.map((id) => `${id}0`), ...ids.map((id) => `${id}1`)]);
    expect(found.size).toBe(2 * writers * count);
    await store.close();
  });

  it(`${writers} processes that compare and set a counter lose no step`, async () => {
    const path = freshPath();

    const ends = await runAll(path, { writers, how: "increments" });

    expect(ends).toEqual(ends.map(() => ({ acknowledged: count, exitCode: 0, stderr: "" })));
    const store = openSqliteStore({ path });
    const counter = (await store.getMany(["counter"])).get("counter");
    expect(counter?.document?.content).toBe(`${writers * count}`);
    await store.close();
  });
}

/** All of them open the new file at once. */
function runAll(path: string, { writers, how }: { writers: number; how: WriterTask["how"] }) {
  const names = Array.from({ length: writers }, (_, place) => `writer${place}`);
  return Promise.all(names.map((name) => runWriter({ path, name, how, count })));
}

// @module-tag process
// @module-tag long
// Verifies: F1, SSOT 2.8: after kill -9 of a writer every acknowledged commit is whole, and no other is there in part.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, it, onTestFinished } from "vitest";
import { freshSchema, withPostgres } from "./support/on-postgres.ts";
import { pairOf } from "./support/writer-process.ts";

const writer = new URL("./support/writer-process.ts", import.meta.url).pathname;

/** Kills a writer after it was told of so many commits. @returns the commits that it was told of */
async function killAfter(child: ChildProcess, commits: number): Promise<number> {
  let told = 0;
  const gone = once(child, "exit");
  if (child.stdout === null) throw new TypeError("the writer's output is read");
  for await (const line of createInterface({ input: child.stdout })) {
    told = Number(line);
    if (told >= commits) child.kill("SIGKILL");
  }
  await gone;
  return told;
}

withPostgres("writers that are killed", (postgres) => {
  it.each([1, 20, 60])("have all that they were told of (%i commits)", async (commits) => {
    const schema = freshSchema();
    const store = await postgres.open({ schema });
    onTestFinished(() => store.close());
    const children = ["a", "b"].map((name) =>
      spawn(process.execPath, [writer, postgres.url, schema, name], { stdio: ["ignore", "pipe", "inherit"] }),
    );

    const told = await Promise.all(children.map((child) => killAfter(child, commits)));

    for (const [place, name] of ["a", "b"].entries()) {
      const acknowledged = told[place] ?? 0;
      const pairs = Array.from({ length: acknowledged + 2 }, (_, n) => pairOf(name, n + 1));
      const found = await store.getMany(pairs.flat());
      const whole = pairs.map((ids) => ids.filter((id) => found.has(id)).length);
      expect(acknowledged).toBeGreaterThanOrEqual(commits);
      expect(whole.slice(0, acknowledged)).toEqual(Array.from({ length: acknowledged }, () => 2));
      expect(whole).not.toContain(1);
    }
    expect((await store.check?.())?.problems).toEqual([]);
  });
});

// @module-tag process
// Verifies: F1, F6: what tests of several processes are built on.
import { fileURLToPath } from "node:url";
import { createMemoryStore } from "@cm/object-model";
import { expect, it } from "vitest";
import { runWriter, writeToStore } from "../src/index.ts";

const script = fileURLToPath(new URL("./support/talker.ts", import.meta.url));

it("A process that ends has said its whole lines.", async () => {
  const end = await runWriter({ script, args: ["3", "ends"] });

  expect(end).toEqual({ lines: ["0", "1", "2"], exitCode: 0, stderr: "" });
});

it("A process that fails says why.", async () => {
  const { exitCode, stderr } = await runWriter({ script, args: ["0", "fails"] });

  expect(exitCode).toBe(1);
  expect(stderr).toContain("as it was told");
});

it("A process is killed once it has said so many lines, or from the beginning.", async () => {
  const after = await runWriter({ script, args: ["3", "waits"], kill: { afterLines: 2, andMs: 1 } });
  const early = await runWriter({ script, args: ["3", "waits"], kill: { afterLines: 0, andMs: 0 } });

  expect(after.exitCode).toBeNull();
  expect(after.lines.length).toBeGreaterThanOrEqual(2);
  expect(early.exitCode).toBeNull();
});

it("Writers put documents that belong together, and count without losing a step.", async () => {
  const store = createMemoryStore();
  const acknowledged: string[] = [];
  const write = (name: string, how: "puts" | "increments") =>
    writeToStore(store, { name, how, commits: 4, onCommit: (n) => acknowledged.push(`${name} ${n}`) });

  await Promise.all([write("a", "puts"), write("b", "increments"), write("c", "increments")]);

  const found = await store.getMany(["a-3-0", "a-3-1", "shared", "counter"]);
  expect([...found.keys()].sort()).toEqual(["a-3-0", "a-3-1", "counter", "shared"]);
  expect(found.get("counter")?.document?.content).toBe("8");
  expect(acknowledged.length).toBe(12);
});

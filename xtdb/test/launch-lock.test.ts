// @module-tag xtdb
// Verifies: of several processes that prepare at once one works, and a dead one blocks no other.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { withLock } from "../launch/lock.ts";
import { runCommand, startCommand } from "./support/command.ts";
import { temporaryFolder } from "./support/folders.ts";

const script = join(import.meta.dirname, "support/lock-holder.ts");

it("lets one process in at a time", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "count"), "0");
  const rounds = 5;

  const ends = await Promise.all(
    Array.from({ length: 3 }, () => runCommand([folder, "count", String(rounds)], { script })),
  );

  expect(ends.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(readFileSync(join(folder, "count"), "utf8")).toBe(String(3 * rounds));
});

it("lets one caller of a process in at a time", async () => {
  const file = join(temporaryFolder(), "lock");
  const seen: string[] = [];
  const work = (name: string) => async (): Promise<void> => {
    seen.push(`${name} begins`);
    await new Promise(setImmediate);
    seen.push(`${name} ends`);
  };

  await Promise.all([withLock(file, work("a")), withLock(file, work("b"))]);

  expect(seen).toEqual(["a begins", "a ends", "b begins", "b ends"]);
});

it("is free again as soon as its holder dies", async () => {
  const folder = temporaryFolder();
  const holder = startCommand([folder, "hold"], { script });
  await holder.prints(/holding/);
  let waited = false;
  const onWait = (): void => {
    waited = true;
    holder.process.kill("SIGKILL");
  };

  const answer = await withLock(join(folder, "lock"), async () => "in", { onWait });

  expect({ answer, waited }).toEqual({ answer: "in", waited: true });
});

it("is free again when the work fails", async () => {
  const file = join(temporaryFolder(), "lock");
  await expect(withLock(file, () => Promise.reject(new Error("no")))).rejects.toThrow("no");

  const answer = await withLock(file, async () => "in", { waitMs: 0 });

  expect(answer).toBe("in");
});

it("gives up after its time, and when it is interrupted", async () => {
  const file = join(temporaryFolder(), "lock");
  const never = async (): Promise<string> => "in";
  const interrupted = AbortSignal.abort();

  await withLock(file, async () => {
    await expect(withLock(file, never, { waitMs: -1 })).rejects.toMatchObject({ code: "node/busy" });
    await expect(withLock(file, never, { signal: interrupted })).rejects.toMatchObject({ code: "node/aborted" });
  });
});

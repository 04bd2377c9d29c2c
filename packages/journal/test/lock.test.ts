// @module-tag process
// Verifies: a lock whose process was killed is taken over, by one process alone, and a lock that is held is not.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { FileSessionStorage } from "../src/index.ts";
import { tempFolder } from "./support/places.ts";

function started(program: string, ...args: readonly string[]) {
  const path = new URL(`./support/${program}.ts`, import.meta.url).pathname;
  return spawn(process.execPath, ["--conditions=source", path, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function killedHolder(file: string): Promise<void> {
  const holder = started("hold-lock", file);
  const ended = once(holder, "exit");
  await once(holder.stdout, "data");
  holder.kill("SIGKILL");
  await ended;
}

it("takes over the lock of a process that was killed", async () => {
  const folder = tempFolder();
  const file = join(folder, "s.jsonl");
  await killedHolder(file);
  expect(readdirSync(folder)).toEqual([".s.jsonl.lock"]);

  const release = await new FileSessionStorage().lock(file);

  expect(readFileSync(join(folder, ".s.jsonl.lock"), "utf8")).toMatch(new RegExp(`^${process.pid} `));
  release();
  expect(readdirSync(folder)).toEqual([]);
});

it("is held by one of four processes at a time, where they all find the lock of one that was killed", async () => {
  const folder = tempFolder();
  const file = join(folder, "count");
  writeFileSync(file, "0");
  await killedHolder(file);

  const counters = Array.from({ length: 4 }, () => started("count-under-lock", file, "50"));
  const ends = await Promise.all(counters.map(async (child) => (await once(child, "exit"))[0]));

  expect(ends).toEqual([0, 0, 0, 0]);
  expect(readFileSync(file, "utf8")).toBe("200");
  expect(readdirSync(folder)).toEqual(["count"]);
});

it("leaves the lock of a process that runs, and takes it once that has let go", async () => {
  const folder = tempFolder();
  const file = join(folder, "s.jsonl");
  const holder = started("hold-lock", file);
  await once(holder.stdout, "data");
  const lock = join(folder, ".s.jsonl.lock");
  const held = readFileSync(lock, "utf8");

  let taken = false;
  const waiting = new FileSessionStorage().lock(file).then((release) => {
    taken = true;
    return release;
  });
  // Each try of the one who waits comes after another turn of the timers.
  for (let turn = 0; turn < 20; turn += 1) await new Promise((next) => setTimeout(next, 0));

  expect({ taken, held: readFileSync(lock, "utf8") }).toEqual({ taken: false, held });
  expect(held).toMatch(new RegExp(`^${holder.pid} ${hostname()} `));
  const ended = once(holder, "exit");
  holder.kill("SIGKILL");
  await ended;
  (await waiting)();
  expect(readdirSync(folder)).toEqual([]);
});

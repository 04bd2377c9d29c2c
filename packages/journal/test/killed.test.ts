// @module-tag process
// Verifies: a process that is killed while it writes leaves a file that loads, with all that it had flushed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createInterface } from "node:readline";
import { createRandom } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { SessionManager } from "../src/index.ts";
import { optionsIn, tempFolder } from "./support/places.ts";

const rounds = process.env.CM_CAMPAIGN === "1" ? 200 : 4;
const program = new URL("./support/write-until-killed.ts", import.meta.url).pathname;

describe("a process that is killed while it writes", () => {
  it(`leaves its session whole, ${rounds} times`, async () => {
    const random = createRandom(11);
    for (let round = 0; round < rounds; round += 1) await killedOnce(random.below(40), round);
  });
});

/** Kills the writer a few lines of its output later, which is anywhere between two of its own calls. */
async function killedOnce(linesBefore: number, seed: number): Promise<void> {
  const folder = tempFolder();
  const writer = spawn(process.execPath, ["--conditions=source", program, folder, String(seed)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(writer, "exit");
  const said: string[] = [];
  for await (const line of createInterface({ input: writer.stdout })) {
    said.push(line);
    if (said.length === linesBefore + 1) writer.kill("SIGKILL");
  }
  await ended;
  const [path = "", ...counts] = said;
  const safe = Number(counts.at(-1) ?? 0);

  const session = await SessionManager.open(path, undefined, optionsIn(folder));

  const numbers = session.getEntries().map((entry) => numberOf(entry));
  expect(numbers.length).toBeGreaterThan(safe);
  expect(numbers).toEqual(numbers.map((_number, index) => index));
  session.appendMessage({ role: "user", content: "alive" });
  await session.setSessionName("alive");
  await session.close();
  const again = await SessionManager.open(path, undefined, optionsIn(folder));
  expect(again.getEntries()).toHaveLength(numbers.length + 1);
  expect(readdirSync(folder).filter((name) => name.endsWith(".lock"))).toEqual([]);
}

function numberOf(entry: object): number {
  const { message } = entry as { message?: { content?: string } };
  return Number.parseInt(message?.content ?? "", 10);
}

// A program on a failing disk: node session-on-disk.ts FOLDER CONTROL FAULT once|lasting FIRST STRIDE. Writes a short
// session again and again, each time in a new file, and each time a later call that changes the disk fails, until none
// is left to fail. Does what fails once more, in the same session or in one opened anew, and says what came of it.
import { readdirSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { rendererFor } from "@cm/render";
import { rebuildPrompts, sessionAt } from "@cm/session";
import { verifyStore } from "@cm/session/verify";
import { openSqliteStore } from "@cm/store-sqlite";
import { type DiskFault, setDisk } from "../../../../tools/failing-disk/disk-control.ts";
import { sumOfRequest } from "../crash/sum-of-request.ts";
import { callOf, steps, WrittenSession } from "./written-session.ts";

/** What came of a session in which one call failed, or that one and all after it. */
export interface Outcome {
  readonly at: number;
  /** Of the errors that were met, in order; what is none of ours by its stack. */
  readonly errors: readonly string[];
  /** What is not as it should be, in words; empty for nothing. */
  readonly problems: readonly string[];
}

const [folder = "", control = "", fault = "", lasts = "", first = "1", stride = "1"] = process.argv.slice(2);

for (let at = Number(first); ; at += Number(stride)) {
  const path = join(folder, `${at}.sqlite`);
  setDisk(control, { fault: fault as DiskFault, at, lasting: lasts === "lasting" });
  const written = new WrittenSession(path, { control, isOpenedAnew: at % 2 === 0 });
  await written.write();
  const outcome: Outcome = {
    at,
    errors: written.errors,
    problems: [...written.problems, ...(await problemsIn(written))],
  };
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  if (written.calls < at) break;
  writeSync(1, `${JSON.stringify(outcome)}\n`);
}

async function problemsIn({ path, acknowledged }: WrittenSession): Promise<readonly string[]> {
  const problems: string[] = [];
  const store = openSqliteStore({ path });
  const { chat } = await sessionAt(store, { session: "disk", n: steps - 1 });
  const expected = Array.from({ length: steps }, (_, step) => callOf(step));
  if (chat.toolcall_refs.join() !== expected.join()) problems.push(`its calls are ${chat.toolcall_refs.join()}`);
  let count = 0;
  for await (const { n, prompt, hash, recordedHash } of rebuildPrompts(store, "disk", rendererFor)) {
    count += 1;
    if (hash !== recordedHash) problems.push(`request ${n} is not what was recorded`);
    if (acknowledged.has(n) && sumOfRequest(prompt) !== acknowledged.get(n))
      problems.push(`request ${n} is another one`);
  }
  if (count !== steps) problems.push(`${count} steps are there`);
  for await (const { id, problem, detail } of verifyStore(store)) problems.push(`${problem} ${id}: ${detail}`);
  await store.close();
  return problems;
}

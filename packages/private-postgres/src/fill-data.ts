import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";

const cache = join(import.meta.dirname, "../../../node_modules/.cache/postgres");

/**
 * Fills an empty folder with the data of a new Postgres. What `initdb` makes is kept, for each version and owner: a copy takes a
 * quarter of the processor's time.
 */
export async function fillData(data: string, initdb: () => Promise<unknown>, programs: string): Promise<void> {
  const kept = join(cache, `${basename(dirname(programs))}-${statSync(data).uid}`);
  if (existsSync(kept)) return copy(kept, data);
  await initdb();
  const part = `${kept}-${randomUUID()}`;
  await mkdir(cache, { recursive: true });
  await copy(data, part);
  // Another process may have been faster; a name that is there is complete.
  await rename(part, kept).catch(() => rm(part, { recursive: true, force: true }));
}

/** With owners and modes, which Postgres looks at. */
async function copy(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await promisify(execFile)("cp", ["-a", `${from}/.`, to]);
}

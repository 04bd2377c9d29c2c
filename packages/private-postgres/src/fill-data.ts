import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";

const cache = join(import.meta.dirname, "../../../node_modules/.cache/postgres");

const shape = ["-U", "cm", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
const shapeName = createHash("sha256").update(shape.join(" ")).digest("hex").slice(0, 12);

/**
 * Fills an empty folder with the data of a new Postgres. What `initdb` makes is kept, for each version, owner and shape: a copy
 * takes a quarter of the processor's time.
 * @param initdb runs that program with arguments, as the server's user
 */
export async function fillData(
  data: string,
  programs: string,
  initdb: (args: readonly string[]) => Promise<unknown>,
): Promise<void> {
  const kept = join(cache, [basename(dirname(programs)), statSync(data).uid, shapeName].join("-"));
  if (existsSync(kept)) return copy(kept, data);
  await initdb(["-D", data, ...shape]);
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

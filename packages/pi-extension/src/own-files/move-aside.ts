import { existsSync, renameSync } from "node:fs";
import { withSidecars } from "./own-files.ts";

/**
 * Moves a database, with what SQLite put beside it, to a name that nothing has, and gives that name. The parts keep
 * belonging together. Nothing may have it open: who closes it later deletes its log by name, which is then another's.
 * @throws what `rename` throws
 */
export function moveAside(path: string, why: string, now: Date = new Date()): string {
  const stamp = now
    .toISOString()
    .replace(/\.\d+Z$/, "Z")
    .replaceAll(":", "-");
  const base = `${path}.${why}-${stamp}`;
  let aside = base;
  for (let n = 2; withSidecars(aside).some((each) => existsSync(each)); n += 1) aside = `${base}-${n}`;
  const targets = withSidecars(aside);
  // The log first: a database without its log is an older one, a log without its database is nothing.
  for (const [n, from] of [...withSidecars(path).entries()].reverse()) {
    if (existsSync(from)) renameSync(from, targets[n] ?? aside);
  }
  return aside;
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A path for a database in a folder of its own, which goes when the test ends. */
export function freshPath(name = "store.db"): string {
  const folder = mkdtempSync(join(tmpdir(), "cm-store-sqlite-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, name);
}

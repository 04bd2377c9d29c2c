import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder that goes when the test ends. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "cm-store-xtdb-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

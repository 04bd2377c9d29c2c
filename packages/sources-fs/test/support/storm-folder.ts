import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A real folder of its own, which goes when the test ends. */
export function freshFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "cm-sources-fs-track-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder of its own below the system's, by its real path. It goes when the test ends. */
export function freshFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "cm-sources-fs-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A fresh folder with `root`, which a source may open, and `outside`, which none may. */
export function rootAndOutside(): { readonly folder: string; readonly root: string; readonly outside: string } {
  const folder = freshFolder();
  const [root, outside] = [join(folder, "root"), join(folder, "outside")];
  mkdirSync(root);
  mkdirSync(outside);
  return { folder, root, outside };
}

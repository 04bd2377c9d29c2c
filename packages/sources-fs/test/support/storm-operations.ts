import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Random } from "@cm/testkit";

/** In fixed shares: 60 % writes, 25 % renames over, 10 % re-creations, 5 % deletions. */
export type Operation = "write" | "rename-over" | "re-create" | "delete";

const folders = 10;

/** Where file number `n` of a storm is: the files stand in ten folders, some below others. */
export function stormPath(root: string, n: number): string {
  const folder = n % folders;
  return join(root, folder % 3 === 0 ? `folder-${folder}` : `folder-0/below-${folder}`, `file-${n}.ts`);
}

export const stormPaths = (root: string, files: number): readonly string[] =>
  Array.from({ length: files }, (_, n) => stormPath(root, n));

export function drawnOperation(random: Random): Operation {
  const share = random.fraction();
  if (share < 0.6) return "write";
  if (share < 0.85) return "rename-over";
  return share < 0.95 ? "re-create" : "delete";
}

/** Texts differ in every operation; half of them keep the length, so that the size alone tells nothing. */
export function operate(operation: Operation, path: string, text: string): void {
  switch (operation) {
    case "write":
      writeFileSync(path, text);
      break;
    case "rename-over":
      writeFileSync(`${path}.tmp`, text);
      renameSync(`${path}.tmp`, path);
      break;
    case "re-create":
      rmSync(path, { force: true });
      writeFileSync(path, text);
      break;
    case "delete":
      rmSync(path, { force: true });
  }
}

/** What is on disk now; undefined where nothing is. */
export const onDisk = (path: string): string | undefined => (existsSync(path) ? readFileSync(path, "utf8") : undefined);

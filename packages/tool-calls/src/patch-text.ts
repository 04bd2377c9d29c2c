import { parsePatch } from "diff";
import type { FileAction } from "./action.ts";
import { limits } from "./limits.ts";

/**
 * The files of a patch, in order: Codex's sections, or a unified diff. What a hunk replaces is its old side, context
 * and removed lines together, for it applies only where all of them stand. Undefined where the text is no patch, is
 * malformed, or is over a limit.
 */
export function patchedFiles(patch: string): readonly FileAction[] | undefined {
  if (patch.length > limits.patchCharsMax) return undefined;
  const start = patch.indexOf("*** Begin Patch");
  const files = start < 0 ? filesOfUnified(patch) : filesOfCodex(patch.slice(start));
  return files.length === 0 || files.length > limits.toolFilesMax ? undefined : files;
}

function filesOfUnified(patch: string): readonly FileAction[] {
  if (!patch.includes("@@ -")) return [];
  try {
    return parsePatch(patch).flatMap(({ oldFileName, newFileName, hunks }) => {
      const name = newFileName === undefined || newFileName === "/dev/null" ? oldFileName : newFileName;
      if (name === undefined || name === "/dev/null" || hunks.length === 0) return [];
      const replaced = hunks.map(({ lines }) => oldSide(lines)).filter((text) => text !== "");
      return [{ does: "edit", path: name.replace(/^[ab]\//, ""), replaced }];
    });
  } catch {
    return [];
  }
}

const head = /^\*\*\* (?:(Add|Update|Delete) File|Move to): (\S.*)$/;

function filesOfCodex(patch: string): readonly FileAction[] {
  const files: FileAction[] = [];
  let hunks: string[][] = [];
  const endFile = (): void => {
    const last = files.at(-1);
    if (last?.does === "edit")
      files.splice(-1, 1, { ...last, replaced: hunks.map(oldSide).filter((text) => text !== "") });
    hunks = [];
  };
  for (const line of patch.split(/\r?\n/)) {
    const [, does, path] = head.exec(line) ?? [];
    if (path !== undefined) {
      // The name that a file is moved to stands between its section's head and its hunks.
      const at = does === undefined ? Math.max(0, files.length - 1) : files.length;
      if (does !== undefined) endFile();
      files.splice(at, 0, does === "Add" ? { does: "write", path } : { does: "edit", path, replaced: [] });
    } else if (line.startsWith("@@") || hunks.length === 0) hunks.push([]);
    if (path === undefined) hunks.at(-1)?.push(line);
  }
  endFile();
  return files;
}

/** Context and removed lines, without their marks. Of an empty line among them models leave the mark out, too. */
function oldSide(lines: readonly string[]): string {
  const last = lines.findLastIndex((line) => /^[ +-]/.test(line));
  const old = lines.slice(0, last + 1).filter((line) => line === "" || line.startsWith(" ") || line.startsWith("-"));
  return old.map((line) => line.slice(1)).join("\n");
}

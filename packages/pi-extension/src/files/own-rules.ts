import { realpathSync } from "node:fs";
import { join, relative } from "node:path";

/**
 * Rules in gitignore syntax, for each root, that keep closed the files of Pi and of the extension, which are no one's
 * work: its logins and our objects, which would hold themselves.
 */
export function ownRules(agentDir: string, roots: readonly string[]): readonly string[] {
  const folders = new Set([agentDir, realFolder(agentDir)]);
  return roots.flatMap((root) =>
    [...folders].flatMap((folder) => {
      const path = relative(root, folder);
      if (path === ".." || path.startsWith("../") || path.includes("\n")) return [];
      return ["auth.json", "context-manager/"].map((name) => `/${literal(join(path, name))}`);
    }),
  );
}

/** Characters that mean something in a rule stand for themselves. */
const literal = (path: string): string => path.replace(/[\\*?[\]!# ]/g, "\\$&");

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

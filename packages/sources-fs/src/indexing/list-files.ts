import { closeSync, constants, type Dirent, lstatSync, openSync, readdirSync } from "node:fs";
import { isCanonical } from "../guard/contains.ts";
import { KernelFiles } from "../guard/kernel-files.ts";
import { liesAt } from "../guard/open-file.ts";
import { fileLimits as limits } from "../limits.ts";
import { joined } from "../mounts/normal-path.ts";
import type { IgnoreRules } from "../rules/ignore-rules.ts";

const { O_RDONLY, O_NOFOLLOW = 0, O_DIRECTORY = 0 } = constants;

/**
 * The regular files below a real folder that no rule ignores, by name, folder by folder. Links are never followed, so
 * that there are no loops. Folders that cannot be read are passed over. Gives `cut` at the end if a bound left some out.
 */
export function* listFiles(folder: string, rules: () => IgnoreRules): Generator<string, "whole" | "cut"> {
  const kernelFiles = new KernelFiles();
  const waiting = [{ path: folder, depth: 0 }];
  let files = 0;
  let cut = false;
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const folders: { readonly path: string; readonly depth: number }[] = [];
    for (const entry of entriesOf(at.path, kernelFiles)) {
      const path = joined(at.path, `/${entry.name}`);
      const isFolder = entry.isDirectory();
      if (!isFolder && !entry.isFile()) continue;
      // A name that is not UTF-8 cannot be said in a binding.
      if (entry.name.includes("\uFFFD") || !isCanonical(path)) continue;
      if (rules().ignored(path, isFolder) !== undefined) continue;
      if (isFolder) folders.push({ path, depth: at.depth + 1 });
      else if (files >= limits.listedFilesMax) return "cut";
      else {
        files += 1;
        yield path;
      }
    }
    if (at.depth < limits.listedDepthMax) waiting.push(...folders.reverse());
    else cut ||= folders.length > 0;
  }
  return cut ? "cut" : "whole";
}

function entriesOf(folder: string, kernelFiles: KernelFiles): readonly Dirent[] {
  try {
    const seen = lstatSync(folder, { bigint: true });
    if (!seen.isDirectory() || kernelFiles.has(folder, seen.dev)) return [];
    // Through the handle on Linux: the folder that was checked is the one that is listed.
    const fd = openSync(folder, O_RDONLY | O_NOFOLLOW | O_DIRECTORY);
    try {
      if (!liesAt(fd, folder, seen)) return [];
      const path = process.platform === "linux" ? `/proc/self/fd/${fd}` : folder;
      return readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    } finally {
      closeSync(fd);
    }
  } catch {
    return [];
  }
}

import { posix } from "node:path";
import { ruleLimits } from "../limits.ts";
import type { IgnoreOptions, IgnoreReason } from "./folder-rules.ts";
import { type Folder, FolderRules } from "./folder-rules.ts";
import { secretFileRule } from "./secret-files.ts";

export interface IgnoreRules {
  /** Why the file at the absolute path may not be opened, or undefined. Outside of all roots no rule applies. */
  ignored(localPath: string, isFolder?: boolean): IgnoreReason | undefined;
}

const unclean = /\/\/|\/\.{1,2}(?:\/|$)|.\/$/;

/**
 * Which files are never opened (SSOT 5.10). Synchronous and built from plain data, so that a worker thread has its own.
 * Rule files are scanned again when at least `recheckMs` have passed. The root itself is never ignored.
 */
export function ignoreRules(options: IgnoreOptions, now: () => number = () => performance.now()): IgnoreRules {
  const rules = options.roots.map((root) => posix.resolve(root)).sort((a, b) => a.length - b.length);
  const folders = new FolderRules({ ...options, roots: rules, entryIgnored }, now);
  const seesSecrets = options.secretFiles !== false;

  function entryIgnored(folder: Folder, name: string, isFolder: boolean): IgnoreReason | undefined {
    if (name === ".git") return "git-folder";
    const path = `${folder.fromTop}${name}${isFolder ? "/" : ""}`;
    const kind = folder.chain.ignored(path);
    if (kind !== undefined) return kind;
    const rule = seesSecrets ? secretFileRule(name, folder.name, isFolder) : undefined;
    if (rule === undefined || folder.userRules.reincludes(path) || folder.opened.reincludes(path)) return undefined;
    return `secret-file ${rule}`;
  }

  function remembered(folder: Folder, name: string, isFolder: boolean): IgnoreReason | undefined {
    const key = isFolder ? `${name}/` : name;
    const known = folder.answers.get(key);
    if (known !== undefined || folder.answers.has(key)) return known;
    const answer = entryIgnored(folder, name, isFolder);
    folder.answers.set(key, answer);
    folders.answered();
    return answer;
  }

  return {
    ignored(localPath, isFolder = false) {
      if (localPath.length > ruleLimits.pathCharsMax) return "too-deep";
      const path = needsNormalizing(localPath) ? posix.resolve(localPath) : localPath;
      const slash = path.lastIndexOf("/");
      const name = path.slice(slash + 1);
      const folder = folders.at(slash === 0 ? "/" : path.slice(0, slash));
      if (folder === undefined || name === "") return undefined;
      return typeof folder === "string" ? folder : remembered(folder, name, isFolder);
    },
  };
}

/** Asked for every path, so it begins with what costs little. */
function needsNormalizing(path: string): boolean {
  return (path.includes("//") || path.includes("/.") || path.endsWith("/")) && unclean.test(path);
}

import { CmError, type GitBinding, locationOf, parseSourceBinding } from "@cm/object-model";
import { limits } from "../limits.ts";
import { isRef } from "./ref-name.ts";
import { isRepoName } from "./repo-name.ts";

/**
 * Stricter than the model's: a `repo` without scheme, credentials and line breaks, a `ref` that is a name or a full
 * object id, a relative `path` without empty, `.` and `..` components.
 * @throws CmError `model/invalid-source` naming the fields that are wrong, never their values
 */
export function parseGitBinding(value: unknown): GitBinding {
  const binding = parseSourceBinding(value);
  if (binding.type !== "git") throw invalid(["type"]);
  const { repo, ref, path } = binding as GitBinding;
  const wrong = [
    ...(isRepoName(repo) ? [] : ["repo"]),
    ...(isRef(ref) ? [] : ["ref"]),
    ...(isTreePath(path) ? [] : ["path"]),
  ];
  if (wrong.length > 0) throw invalid(wrong);
  return { type: "git", repo, ref, path };
}

/** Whether a path can be one of a file in a commit, written with `/`. */
function isTreePath(path: string): boolean {
  const components = path.split("/");
  return (
    path.isWellFormed() &&
    !path.includes("\0") &&
    components.length <= limits.treeDepthMax &&
    components.every((component) => component !== "" && component !== "." && component !== "..")
  );
}

/** SSOT 5.3: the display is `git:REPO@REF:PATH` on one line. A path that would break it is quoted as in JSON. */
export function describeGitBinding(binding: GitBinding): { namespace: string; path: string; display: string } {
  const { namespace, path } = locationOf(binding);
  return { namespace, path, display: `git:${namespace}:${shown(path)}` };
}

function shown(path: string): string {
  // A leading quote is quoted too, so that no two paths are shown alike.
  if (!/[\p{Cc}\p{Zl}\p{Zp}]/u.test(path) && !path.startsWith('"')) return path;
  const escaped = (found: string): string => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(path).replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, escaped);
}

function invalid(fields: readonly string[]): CmError {
  return new CmError("model/invalid-source", `The git binding is wrong in: ${fields.join(", ")}.`, { fields });
}

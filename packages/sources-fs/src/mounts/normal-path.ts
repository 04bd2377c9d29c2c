// Not the whole model: this runs in reading threads, and the schemas would take a third of their memory.
import { CmError } from "@cm/object-model/errors";

/** A part that a lexically normal path never has: an empty one, `.` or `..`. The root alone matches, too. */
const unusualPart = /\/\.{0,2}(?:\/|$)/;

const drive = /^[A-Za-z]:[\\/]/;

/**
 * An absolute path without empty parts, `.` and `..`, decided by its text alone; `..` stays below the root. A Windows
 * path with a drive keeps it and gets slashes: `c:\src\a` becomes `C:/src/a`.
 *
 * @throws CmError `source/invalid-path`: it is relative or has a NUL
 */
export function normalPath(path: string): string {
  const root = rootOf(path);
  if (root === undefined || path.includes("\0")) {
    throw new CmError("source/invalid-path", "A path here must be absolute and have no NUL. Resolve it first.");
  }
  if (root === "/" && !unusualPart.test(path)) return path;
  const parts: string[] = [];
  for (const part of (root === "/" ? path : path.slice(3).replaceAll("\\", "/")).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return root + parts.join("/");
}

export function isAbsolutePath(path: string): boolean {
  return rootOf(path) !== undefined;
}

function rootOf(path: string): string | undefined {
  if (path.startsWith("/")) return "/";
  return drive.test(path) ? `${path.charAt(0).toUpperCase()}:/` : undefined;
}

/** The folder of a normal path; undefined for a root. */
export function parentOf(path: string): string | undefined {
  const slash = path.lastIndexOf("/");
  if (slash === path.length - 1) return undefined;
  const root = rootOf(path) ?? "/";
  return slash < root.length ? root : path.slice(0, slash);
}

/** The part of a normal path below a normal prefix: empty, or with its slash in front. Undefined: it is not below it. */
export function below(path: string, prefix: string): string | undefined {
  if (path === prefix) return "";
  if (prefix.endsWith("/")) return path.startsWith(prefix) ? `/${path.slice(prefix.length)}` : undefined;
  return path.startsWith(prefix) && path.charAt(prefix.length) === "/" ? path.slice(prefix.length) : undefined;
}

/** A normal prefix and what `below` gave. */
export function joined(prefix: string, rest: string): string {
  if (rest === "") return prefix;
  return prefix.endsWith("/") ? prefix + rest.slice(1) : prefix + rest;
}

import { posix } from "node:path";
import { limits } from "../limits.ts";

/** Whether it is absolute and normal, and one that a command line can carry. */
export function isContainerPath(path: string): boolean {
  return (
    path.startsWith("/") &&
    path !== "/" &&
    path.isWellFormed() &&
    !path.includes("\0") &&
    posix.normalize(path) === path &&
    !path.endsWith("/") &&
    Buffer.byteLength(path) <= limits.pathBytesMax
  );
}

/** Whether the path lies below one of the folders, by its words alone: links are looked at in the container. */
export function isBelow(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path.startsWith(folder === "/" ? "/" : `${folder}/`));
}

/** The path on one line. One that would break it is quoted as in JSON; a leading quote is quoted, too. */
export function shownPath(path: string): string {
  if (!/[\p{Cc}\p{Zl}\p{Zp}]/u.test(path) && !path.startsWith('"')) return path;
  const escaped = (found: string): string => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(path).replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, escaped);
}

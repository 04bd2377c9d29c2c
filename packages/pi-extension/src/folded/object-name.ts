import type { ViewObject } from "@cm/context-log";
import { visibleLine, visiblePath } from "@cm/terminal-text";

/** What a person knows an object by: a file's path below `cwd`, or a call with its arguments. One line. */
export function objectName(
  { kind, path = "", tool = "", argsDisplay = "" }: ViewObject,
  cwd: string,
  max: number,
): string {
  if (kind === "file") {
    const isBelow = cwd !== "" && path.startsWith(`${cwd}/`);
    return visiblePath(isBelow ? path.slice(cwd.length + 1) : path, max);
  }
  return visibleLine([tool, argsDisplay].filter((text) => text !== "").join(" "), max);
}

import type { ForeignFile, LeveledObject } from "@cm/object-model";
import { countText } from "../text/figures.ts";
import { visibleLine, visiblePath } from "../text/visible-line.ts";
import { commandLimits } from "./command-limits.ts";

/** One object as lists show it: `f3 src/a.ts 1,204 chars active pinned`. Paths below `cwd` are relative to it. */
export function objectRow(object: LeveledObject, cwd: string): string {
  const { alias, level, pinned } = object;
  return [alias, ...nameOf(object, cwd), sizeOf(object), level, ...(pinned ? ["pinned"] : [])].join(" ");
}

/** A file of other sessions, by the id with which it can be brought in. */
export function foreignRow({ id, path, charCount }: ForeignFile): string {
  return `${id} ${visiblePath(path, commandLimits.fieldCharsMax)} ${countText(charCount)} chars of another session`;
}

function nameOf(object: LeveledObject, cwd: string): readonly string[] {
  const { kind, path = "", tool = "", argsDisplay = "", status } = object;
  if (kind === "file") {
    const isBelow = cwd !== "" && path.startsWith(`${cwd}/`);
    return [visiblePath(isBelow ? path.slice(cwd.length + 1) : path, commandLimits.fieldCharsMax)];
  }
  const shown = [tool, argsDisplay].map((text) => visibleLine(text, commandLimits.fieldCharsMax));
  return [...shown.filter((text) => text !== ""), ...(status === "fail" ? ["failed"] : [])];
}

function sizeOf({ text, textless }: LeveledObject): string {
  const mark = textless === undefined ? [] : [`[${textless}]`];
  return [...(text === null ? [] : [`${countText(text.length)} chars`]), ...mark].join(" ") || "no text";
}

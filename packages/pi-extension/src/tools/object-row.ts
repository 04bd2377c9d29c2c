import type { ForeignFile, LeveledObject } from "@cm/object-model";
import { countText } from "../text/figures.ts";
import { visibleLine, visiblePath } from "../text/visible-line.ts";
import { toolLimits } from "./tool-limits.ts";

/** One object as lists show it: `f3 src/a.ts 1,204 chars active pinned`. */
export function objectRow(object: LeveledObject): string {
  const { alias, level, pinned } = object;
  return [alias, ...nameOf(object), sizeOf(object), level, ...(pinned ? ["pinned"] : [])].join(" ");
}

/** A file of other sessions, by the id with which it can be brought in. */
export function foreignRow({ id, path, charCount }: ForeignFile): string {
  return `${id} ${visiblePath(path, toolLimits.fieldCharsMax)} ${countText(charCount)} chars of another session`;
}

function nameOf({ kind, path = "", tool = "", argsDisplay = "", status }: LeveledObject): readonly string[] {
  if (kind === "file") return [visiblePath(path, toolLimits.fieldCharsMax)];
  const shown = [tool, argsDisplay].map((text) => visibleLine(text, toolLimits.fieldCharsMax));
  return [...shown.filter((text) => text !== ""), ...(status === "fail" ? ["failed"] : [])];
}

function sizeOf({ text, textless }: LeveledObject): string {
  const mark = textless === undefined ? [] : [`[${textless}]`];
  return [...(text === null ? [] : [`${countText(text.length)} chars`]), ...mark].join(" ") || "no text";
}

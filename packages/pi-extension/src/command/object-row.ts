import type { ForeignFile, LeveledObject } from "@cm/context-log";
import { visibleLine, visiblePath } from "@cm/terminal-text";
import { tokensOf } from "../text/token-count.ts";
import { commandLimits } from "./command-limits.ts";
import { standingWords } from "./context/standing-words.ts";

/** One object as lists show it: `f3 src/a.ts 301 tokens in full pinned`. Paths below `cwd` are relative to it. */
export function objectRow(object: LeveledObject, cwd: string): string {
  const { alias, pinned } = object;
  const words = [alias, ...nameOf(object, cwd), sizeOf(object), standingWords(object), ...(pinned ? ["pinned"] : [])];
  return words.filter((word) => word !== "").join(" ");
}

/** A file of other sessions. */
export function foreignRow({ path, charCount }: ForeignFile): string {
  return `${visiblePath(path, commandLimits.fieldCharsMax)} ${tokensOf(charCount)} of another session`;
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
  return [...(text === null ? [] : [tokensOf(text.length)]), ...mark].join(" ");
}

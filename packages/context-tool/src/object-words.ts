import type { LeveledObject, Textless, ViewObject } from "@cm/context-log";
import { contextToolLimits } from "./limits.ts";

/** `1,204`: the same in every locale. */
export function countText(count: number): string {
  return `${count}`.replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `1 line`, `3 lines`. */
export function counted(count: number, one: string): string {
  return `${countText(count)} ${one}${count === 1 ? "" : "s"}`;
}

/** What draws nothing, ends the line, turns the writing direction or steers a terminal, and lone surrogates. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Text from outside as a part of one line: a file's name can neither begin a line of its own nor look like a notice. */
export function field(text: string, charsMax: number = contextToolLimits.fieldCharsMax): string {
  const shown = text
    .slice(0, charsMax)
    .replace(invisible, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
    .replaceAll("[cm:", "\\[cm:");
  return text.length > charsMax ? `${shown}...` : shown;
}

/** What its reader knows an object by: a path relative to the folder they work in, or a call's tool and arguments. */
export function objectText(object: ViewObject, cwd: string | undefined): string {
  const { kind, path = "", tool = "", argsDisplay = "" } = object;
  if (kind === "toolcall")
    return [tool, argsDisplay]
      .filter((text) => text !== "")
      .map((text) => field(text))
      .join(" ");
  const folder = cwd === undefined || cwd === "" ? undefined : `${cwd.replace(/[/\\]$/, "")}/`;
  const shown = folder !== undefined && path.startsWith(folder) ? path.slice(folder.length) : path;
  const { fieldCharsMax } = contextToolLimits;
  // Of a path the end says the most.
  return shown.length > fieldCharsMax ? `...${field(shown.slice(-fieldCharsMax))}` : field(shown);
}

/** Why an object has no text, as the end of a sentence about it. */
export const textlessWords: Readonly<Record<Textless, string>> = {
  deleted: "it was deleted",
  binary: "it is not text",
  too_large: "it is too large",
  unread: "it was not read yet",
  unreachable: "it cannot be checked now",
  erased: "its text was erased",
  missing: "its text was lost, since the database is damaged",
};

/** Where an object stands, as a row of a list says it. */
export function stateText({ kind, text, textless, level, pinned }: LeveledObject): readonly string[] {
  // The call itself may stand beside the one that asks: then its output is still to come.
  const isWithoutOutput = kind === "toolcall" && textless === "unread";
  const words = textless === undefined ? [] : [isWithoutOutput ? "no output is known" : textlessWords[textless]];
  if (text !== null) words.push(level === "active" ? "in view" : "left out");
  return pinned ? [...words, "pinned"] : words;
}

/** Lines of a text; a line feed at its end begins no further one. */
export function linesOf(text: string): readonly string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

/** `480 lines`, or of a single line its length: `1,204 characters`. */
export function sizeWords(text: string): string {
  const lines = linesOf(text).length;
  return lines > 1 ? counted(lines, "line") : counted(text.length, "character");
}

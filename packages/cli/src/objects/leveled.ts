import type { LeveledObject } from "@cm/context-log";
import type { Column } from "../output/table.ts";

/** How a session's objects are listed. */
export const objectColumns: readonly Column[] = [
  { title: "alias" },
  { title: "level" },
  { title: "chars", align: "right" },
  { title: "name", shrinks: true },
];

export function objectRow(object: LeveledObject): readonly string[] {
  const { alias, level, pinned, textless } = object;
  const chars = charsOf(object) ?? textless ?? "";
  return [alias, pinned ? `${level}, pinned` : level, `${chars}`, nameOf(object)];
}

/** Of a text that is not in memory its length is known beside it. */
function charsOf({ kind, text, textless, charCount }: LeveledObject): number | undefined {
  if (text !== null) return text.length;
  return kind === "toolcall" && textless === undefined ? charCount : undefined;
}

/** A file by its path, a call by its tool and arguments. */
export function nameOf({ path, tool, argsDisplay, status }: LeveledObject): string {
  if (path !== undefined) return path;
  return `${tool ?? ""} ${argsDisplay ?? ""}${status === "fail" ? " (failed)" : ""}`.trim();
}

/** One object of a session as programs get it; its text has a command of its own. */
export function objectValue(object: LeveledObject) {
  const { id, alias, kind, level, pinned, path, fileType, tool, status, argsDisplay, redactions, textless } = object;
  return {
    kind: "object" as const,
    id,
    alias,
    type: kind,
    level,
    pinned,
    path: path ?? null,
    fileType: fileType ?? null,
    tool: tool ?? null,
    status: status ?? null,
    args: argsDisplay ?? null,
    redactions: redactions ?? 0,
    chars: charsOf(object) ?? null,
    textless: textless ?? null,
  };
}

/** How many objects stand at each level. */
export function levelCounts(objects: readonly LeveledObject[]) {
  const count = (is: (object: LeveledObject) => boolean) => objects.filter(is).length;
  return {
    index: objects.length,
    pool: count(({ level }) => level !== "indexed"),
    active: count(({ level }) => level === "active"),
    pinned: count(({ pinned }) => pinned),
  };
}

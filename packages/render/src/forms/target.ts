import type { JsonObject } from "@cm/object-model";
import { limits } from "../limits.ts";

const pathKeys = ["path", "file_path", "filePath", "notebook_path", "filename", "file"] as const;
const startKeys = ["command", "cmd", "pattern", "query", "url", "description", "name", "id"] as const;

/** The file that a call's arguments name, by the argument names of the known harnesses. */
export function pathArgument(args: JsonObject): string | undefined {
  return firstText(args, pathKeys);
}

/**
 * What a reference says of a call: enough to decide on fetching it back, at most `targetCharsMax` characters. Of a
 * path the end counts, of a command or pattern the start.
 */
export function targetOf(args: JsonObject): string | undefined {
  const path = pathArgument(args);
  const start = firstText(args, startKeys);
  // A search names both: its pattern says more than where it looked.
  if (path !== undefined && typeof args.pattern !== "string") return endOfPath(path);
  return start === undefined ? undefined : startOf(start);
}

function firstText(args: JsonObject, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = Object.hasOwn(args, key) ? args[key] : undefined;
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

function endOfPath(path: string): string {
  if (path.length <= limits.targetCharsMax) return path;
  const end = path.slice(1 - limits.targetCharsMax);
  const slash = end.indexOf("/");
  return `*${slash < 0 || slash === end.length - 1 ? end : end.slice(slash)}`.toWellFormed();
}

/** Without the change of folder that many commands begin with. */
function startOf(text: string): string {
  const line = text
    .replace(/^cd \S+ && /, "")
    .replace(/\s+/g, " ")
    .trim();
  return line.slice(0, limits.targetCharsMax).toWellFormed();
}

import type { JsonObject } from "@cm/object-model";
import { textOf } from "./arguments.ts";

const pathKeys = ["path", "file_path", "filePath", "notebook_path", "filename", "file"] as const;

/** The file that a call's arguments name, by the argument names of the known harnesses. */
export function pathArgument(args: JsonObject): string | undefined {
  for (const key of pathKeys) {
    const path = textOf(args, key);
    if (path !== undefined && path !== "") return path;
  }
  return undefined;
}

import type { JsonObject, JsonValue } from "@cm/object-model";
import { isObject, listOf, textOf } from "./arguments.ts";
import { pathArgument } from "./path-argument.ts";

const rarerKeys = ["absolute_path", "target_file", "relative_path", "AbsolutePath", "TargetFile", "abs_path"] as const;
const listKeys = ["paths", "files", "file_paths", "filePaths", "include"] as const;
const taggedKeys = ["args", "input", "xml"] as const;
const tagged = /<path>([^<>]{1,1000})<\/path>/g;

/**
 * The local files that a call's arguments surely name, each once: one path, a list of paths or of objects with a path,
 * or `<path>` tags. Nothing where one of several is a pattern.
 */
export function namedPaths(args: JsonObject): readonly string[] {
  const one = pathIn(args);
  if (one !== undefined) return [one];
  const listed = listOf(args, ...listKeys).map(pathOfMember);
  const paths = listed.length > 0 ? listed : taggedPaths(args);
  const sure = paths.filter((path) => path !== undefined && path !== "" && !path.includes("*"));
  return sure.length === paths.length ? [...new Set(sure.filter((path) => path !== undefined))] : [];
}

/** The one file that these arguments, or one edit among several, name. */
export function pathIn(args: JsonObject): string | undefined {
  const path = pathArgument(args) ?? textOf(args, ...rarerKeys);
  return path === "" ? undefined : path;
}

const pathOfMember = (member: JsonValue): string | undefined =>
  typeof member === "string" ? member : isObject(member) ? pathIn(member) : undefined;

function taggedPaths(args: JsonObject): readonly string[] {
  return [...(textOf(args, ...taggedKeys) ?? "").matchAll(tagged)].map((match) => (match[1] ?? "").trim());
}

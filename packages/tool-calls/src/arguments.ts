import type { JsonObject, JsonValue } from "@cm/object-model";

/** The text of the first of these own keys that has one. */
export function textOf(args: JsonObject, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = Object.hasOwn(args, key) ? args[key] : undefined;
    if (typeof value === "string") return value;
  }
  return undefined;
}

/** The members of the first of these own keys that has a list. */
export function listOf(args: JsonObject, ...keys: readonly string[]): readonly JsonValue[] {
  for (const key of keys) {
    const value = Object.hasOwn(args, key) ? args[key] : undefined;
    if (Array.isArray(value)) return value;
  }
  return [];
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** How the known harnesses name the text of a whole file. */
export const contentKeys = ["content", "file_text", "contents", "fileText"] as const;

/** How they name the file of a call. */
const pathKeys = ["path", "file_path", "filePath", "notebook_path", "filename", "file"] as const;

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
  const path = pathKeys.map((key) => textOf(args, key)).find((text) => text !== undefined && text !== "");
  return path ?? (textOf(args, ...rarerKeys) || undefined);
}

const pathOfMember = (member: JsonValue): string | undefined =>
  typeof member === "string" ? member : isObject(member) ? pathIn(member) : undefined;

function taggedPaths(args: JsonObject): readonly string[] {
  return [...(textOf(args, ...taggedKeys) ?? "").matchAll(tagged)].map((match) => (match[1] ?? "").trim());
}

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

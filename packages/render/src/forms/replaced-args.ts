import type { JsonObject, JsonValue } from "@cm/object-model";

/** Shorter texts stay: the mark in their place would save little. */
const replacedCharsMin = 120;

/** How the known harnesses name the text that an edit replaces. */
const replacedKeys: ReadonlySet<string> = new Set(["oldText", "oldString", "old_string", "old_str", "old_text"]);

/**
 * The arguments of an edit without the longer texts that it replaced: they are gone from the file, and the edit was
 * made. The call's object keeps them; its name stands in their place.
 */
export function withoutReplaced(args: JsonObject, alias: string): JsonObject {
  const ref = alias.toWellFormed();
  const shorter = (edit: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(edit).map(([key, value]) => [key, isReplaced(key, value) ? { ref } : value]));
  const whole = shorter(args);
  if (!Array.isArray(args.edits)) return whole;
  return { ...whole, edits: args.edits.map((edit) => (isObject(edit) ? shorter(edit) : edit)) };
}

const isReplaced = (key: string, value: JsonValue | undefined): boolean =>
  replacedKeys.has(key) && typeof value === "string" && value.length > replacedCharsMin;

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

import type { JsonObject, JsonValue } from "@cm/object-model";
import { counted, linesOf } from "./object-words.ts";

/** A call's arguments to be read: one under the other, texts of several lines as they are, below their name and size. */
export function argumentsText(args: JsonObject): string {
  return Object.entries(args)
    .flatMap(([name, value]) => rowsOf(name, value))
    .join("\n");
}

function rowsOf(name: string, value: JsonValue | undefined): readonly string[] {
  if (typeof value === "string") {
    if (!value.includes("\n")) return [`${name}: ${value}`];
    return [`${name}, ${counted(linesOf(value).length, "line")}:`, value];
  }
  if (Array.isArray(value)) return value.flatMap((each, place) => rowsOf(`${name}[${place}]`, each));
  if (value === undefined) return [];
  if (typeof value !== "object" || value === null) return [`${name}: ${JSON.stringify(value)}`];
  return Object.entries(value).flatMap(([key, each]) => rowsOf(`${name}.${key}`, each));
}

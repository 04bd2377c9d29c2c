import type { LeveledObject } from "@cm/object-model";

/** Where an object stands, as lists say it. */
export function standingWords({ level, text }: Pick<LeveledObject, "level" | "text">): string {
  if (level === "active") return "in full";
  return text === null ? "not read" : "not in the context";
}

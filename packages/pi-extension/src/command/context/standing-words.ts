import type { LeveledObject } from "@cm/context-log";

/** Where an object stands, as lists say it. */
export function standingWords({ kind, level, text }: Pick<LeveledObject, "kind" | "level" | "text">): string {
  if (level === "active") return "in full";
  // A file that is known by its name alone is no more in the prompt than one of which all was folded.
  return kind === "toolcall" ? "folded" : text === null ? "not read" : "folded or not read";
}

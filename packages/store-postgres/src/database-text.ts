import { endOfPrefix, fromOrderedText, toOrderedText } from "@cm/object-model/stored-form";

/** What stands for the units 0 and 1: Postgres has no text with a NUL. The second character stands nowhere else. */
const escapedNul = "\u0001\u{20000}";
const escapedOne = "\u0001\u{20001}";

/**
 * Ordered text for a column of Postgres, in the order of its bytes. Each unit of the original is one character, but for
 * NUL and U+0001, so that prefixes and pieces of a text are those of its original.
 */
export function toDatabaseText(text: string): string {
  const ordered = toOrderedText(text);
  if (!ordered.includes("\0") && !ordered.includes("\u0001")) return ordered;
  return ordered.replaceAll("\u0001", escapedOne).replaceAll("\0", escapedNul);
}

/** Ordered text, as `documentOf` reads it. */
export function toOrdered(databaseText: string): string {
  if (!databaseText.includes("\u0001")) return databaseText;
  return databaseText.replaceAll(escapedNul, "\0").replaceAll(escapedOne, "\u0001");
}

export const fromDatabaseText = (databaseText: string): string => fromOrderedText(toOrdered(databaseText));

export { endOfPrefix };

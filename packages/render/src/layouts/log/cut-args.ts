import type { JsonObject, JsonValue } from "@cm/object-model";
import { cutArgumentMark } from "@cm/prompt-grammar";
import { isReplacedText } from "@cm/tool-calls";

/** What stays of a text in folded arguments: its beginning. */
const keptChars = 30;

/**
 * Arguments in a shape that their tool would take: every field stays, and of each long text its beginning, with what is
 * left out said behind it. `id` names the call.
 */
export function cutArgs(args: JsonObject, id: string): JsonObject {
  return cutTexts(args, id, () => true);
}

/** The same for the texts alone that an edit replaced: it was made, so they are gone from the file. */
export function withoutReplaced(args: JsonObject, id: string): JsonObject {
  return cutTexts(args, id, isReplacedText);
}

function cutTexts(args: JsonObject, id: string, isCut: (key: string) => boolean): JsonObject {
  const cut = (key: string, value: JsonValue): JsonValue => {
    if (typeof value === "string") return isCut(key) ? beginningOf(value, id) : value;
    if (Array.isArray(value)) return value.map((member) => cut(key, member));
    return typeof value === "object" && value !== null ? cutFields(value as JsonObject) : value;
  };
  const cutFields = (fields: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [[key, cut(key, value)]])),
    );
  return cutFields(args);
}

function beginningOf(text: string, id: string): string {
  const isSplit = /[\ud800-\udbff]$/.test(text.slice(0, keptChars));
  const start = text.slice(0, isSplit ? keptChars - 1 : keptChars);
  const shorter = start + cutArgumentMark(text.length - start.length, id);
  return shorter.length < text.length ? shorter : text;
}

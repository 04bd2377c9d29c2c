/**
 * An entry of a session's file as the store keeps it (`journalPartPayload`): JSON in which `@[...]` refers to a text of
 * another document, `@!` stands where a text was erased, and a text that begins with `@` has one more. All other strings
 * are what the file says.
 */
export const erasedTextReference = "@!";

const nameKeys: ReadonlySet<string> = new Set(
  "type,id,parentId,timestamp,role,targetId,firstKeptEntryId,fromId,toolCallId,toolName,name,api,provider,model,modelId,customType,stopReason,responseId".split(
    ",",
  ),
);

/** Ids and names hold the tree of entries together. Long ones and those with spaces are texts like any other. */
export const isEntryName = (key: string, text: string): boolean =>
  nameKeys.has(key) && text.length <= 128 && !/\s/.test(text);

/** The document, the path in it, and the characters there that a string of an entry stands for. */
export type EntryTextReference = readonly [id: string, path: readonly (string | number)[], start: number, end: number];

export function entryTextReference(text: string): EntryTextReference | undefined {
  if (!text.startsWith("@[")) return undefined;
  try {
    const [id, path, start, end] = JSON.parse(text.slice(1)) as Partial<EntryTextReference>;
    const isWhole = typeof id === "string" && Array.isArray(path) && Number.isInteger(start) && Number.isInteger(end);
    return isWhole ? ([id, path, start, end] as EntryTextReference) : undefined;
  } catch {
    return undefined; // A part that a stranger made.
  }
}

/** A value with each of its strings changed; keys stay. @param change the member's key, empty for an element */
export function mapEntryTexts(value: unknown, change: (text: string, key: string) => string, key = ""): unknown {
  if (typeof value === "string") return change(value, key);
  if (Array.isArray(value)) return value.map((element) => mapEntryTexts(element, change));
  if (typeof value !== "object" || value === null) return value;
  // fromEntries defines members, so that a key named __proto__ stays a plain member.
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapEntryTexts(member, change, name)]));
}

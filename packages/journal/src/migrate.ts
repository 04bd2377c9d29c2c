import { isRawObject, type RawObject } from "./json-lines.ts";

/** An object of the file and the number of its line. */
export interface RawEntry {
  readonly line: number;
  readonly value: RawObject;
}

/**
 * Brings entries to version 3, in memory; the file is never written. Pure: the same lines give the same ids.
 * @param version of the file, as its header says.
 * @param headerCount 1 where `entries` were preceded by a header: indexes in version 1 count it.
 */
export function migrate(entries: readonly RawEntry[], version: number, headerCount: 0 | 1): readonly RawEntry[] {
  const chained = version < 2 ? toVersion2(entries, headerCount) : entries;
  return version < 3 ? chained.map(toVersion3) : chained;
}

/** Version 1 knows no tree: the file's order is the chain, and compaction points at a position instead of an id. */
function toVersion2(entries: readonly RawEntry[], headerCount: number): readonly RawEntry[] {
  return entries.map(({ line, value }, index) => {
    const previous = entries[index - 1];
    const parentId = previous === undefined ? null : madeUpId(previous.line);
    const chained = { ...value, id: madeUpId(line), parentId };
    return { line, value: value.type === "compaction" ? withKeptId(chained, entries, headerCount) : chained };
  });
}

function withKeptId(compaction: RawObject, entries: readonly RawEntry[], headerCount: number): RawObject {
  const { firstKeptEntryIndex: index, ...rest } = compaction;
  const target = typeof index === "number" ? entries[index - headerCount] : undefined;
  return target === undefined ? rest : { ...rest, firstKeptEntryId: madeUpId(target.line) };
}

function toVersion3({ line, value }: RawEntry): RawEntry {
  const { message } = value;
  const isHook = value.type === "message" && isRawObject(message) && message.role === "hookMessage";
  return { line, value: isHook ? { ...value, message: { ...message, role: "custom" } } : value };
}

/** The id of an entry without one. It derives from the line number, so that a second reading gives the same id. */
export function madeUpId(line: number): string {
  return `line-${line}`;
}

import type { LogEntry } from "../log-entries.ts";
import { ObjectTable } from "../objects/object-table.ts";
import { IdSet } from "../sets/id-set.ts";
import { isRow, plainEntry } from "../state/omitted-rows.ts";
import type { ViewObject } from "../view.ts";

/** What was copied before: most entries, objects and messages of a view are those of the view before, and never change. */
const copies = new WeakMap<object, object>();

/**
 * A copy of plain data with its maps and sets that refuse changes, and that stays as it is when the original changes.
 * Members that are frozen to the last are not copied. A getter stays one: a file's text may have to be unpacked.
 */
export function frozenCopy<T>(value: T): T;
export function frozenCopy(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Map || value instanceof ObjectTable)
    return unchanging(new Map(Array.from(value, ([key, member]) => [key, copyOnce(member)])));
  if (value instanceof Set || value instanceof IdSet) return unchanging(new Set(value));
  if (Array.isArray(value)) return Object.freeze(value.map(copyOnce));
  const members = Object.getOwnPropertyDescriptors(plainEntry(value as LogEntry) as unknown as Record<string, unknown>);
  for (const member of Object.values(members)) if ("value" in member) member.value = frozenCopy(member.value);
  return Object.freeze(Object.defineProperties({}, members));
}

/** Of a member, which is replaced where it changes. */
function copyOnce(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (isFromRow(value)) return Object.freeze(plainEntry(value as LogEntry));
  const known = copies.get(value);
  if (known !== undefined) return known;
  const copy = isFrozen(value) ? value : frozenCopy(value);
  copies.set(value, copy);
  return copy;
}

/** Made of a row at each look, so that nothing holds it; its members are plain values. */
function isFromRow(value: object): boolean {
  return isRow(value) || (Object.isFrozen(value) && (value as Partial<ViewObject>).inStore === true);
}

/** To the last member, as documents are. */
function isFrozen(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (value instanceof Map || value instanceof Set || value instanceof IdSet || !Object.isFrozen(value)) return false;
  return Object.values(Object.getOwnPropertyDescriptors(value)).every((member) => isFrozen(member.value));
}

const changing = ["add", "set", "delete", "clear", "getOrInsert", "getOrInsertComputed"];

/** Freezing alone leaves a map's or a set's methods at work. */
function unchanging<T extends object>(collection: T): T {
  for (const name of changing) Object.defineProperty(collection, name, { value: refuse });
  return Object.freeze(collection);
}

function refuse(): never {
  throw new TypeError("This is a copy of what a session knows, and cannot be changed.");
}

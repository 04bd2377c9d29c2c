import type { JsonValue } from "@cm/object-model";
import { type OmittedEntry, omittedKinds } from "../log-entries.ts";
import type { Key } from "./flat-state.ts";

/**
 * What a flat state says of an entry that left the prompt: there are ever more of them. The id of a call is 0 where it is
 * that of its object, as most are.
 */
type FlatOmitted =
  | readonly [was: number, step: number, turn: number, chars: number]
  | readonly [was: number, step: number, turn: number, chars: number, tool: string, object: Key, callId: string | 0];

export function flatOmitted(entry: OmittedEntry, key: (id: string) => Key): JsonValue {
  const { was, step, turn, chars, callId, tool, object } = entry;
  const known = [omittedKinds.indexOf(was), step, turn, chars] as const;
  if (callId === undefined || tool === undefined || object === undefined) return known satisfies FlatOmitted;
  return [...known, tool, key(object), callId === object ? 0 : callId] satisfies FlatOmitted;
}

/**
 * The entry again. Keyframes of before have its fields as they are.
 * @throws TypeError where that is nothing that a version of ours writes
 */
export function omittedEntry(at: number, value: JsonValue, idOf: (key: Key) => string): OmittedEntry {
  if (!Array.isArray(value)) return { kind: "omitted", at, ...(value as unknown as Omit<OmittedEntry, "kind" | "at">) };
  const [number, step, turn, chars, tool, key, callId] = value as unknown as FlatOmitted;
  const was = omittedKinds[number];
  if (was === undefined) throw new TypeError("An entry that left the prompt is of no known kind.");
  const place = { kind: "omitted", was, at, step, turn, chars } as const;
  if (tool === undefined || key === undefined) return place;
  const object = idOf(key);
  return { ...place, callId: callId === 0 || callId === undefined ? object : callId, tool, object };
}

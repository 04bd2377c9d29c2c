import type { JsonObject } from "@cm/object-model";
import type { PiArguments } from "../pi/pi-types.ts";

type PiValue = PiArguments[string];

/**
 * A call's arguments with what the prompt left out of them: references stand where they stand in `sent`, all else is as
 * the model wrote it, also where the prompt has a mark for a secret.
 */
export function foldedArgs(sent: JsonObject, original: PiArguments): PiArguments {
  const reference = referenceIn(sent);
  if (reference !== undefined && referenceIn(original) === undefined) return reference;
  return Object.fromEntries(
    Object.entries(original).map(([key, value]) => [key, key in sent ? folded(sent[key], value) : value]),
  );
}

function folded(sent: unknown, original: PiValue): PiValue {
  const reference = referenceIn(sent);
  if (reference !== undefined && referenceIn(original) === undefined) return reference;
  if (Array.isArray(original)) {
    return Array.isArray(sent) ? original.map((value, place) => folded(sent[place], value)) : original;
  }
  return isObject(sent) && isObject(original) ? foldedArgs(sent as JsonObject, original as PiArguments) : original;
}

function referenceIn(value: unknown): { readonly ref: string } | undefined {
  if (!isObject(value) || !("ref" in value) || Object.keys(value).length !== 1) return undefined;
  return typeof value.ref === "string" ? { ref: value.ref } : undefined;
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

import type { JsonObject } from "@cm/object-model";
import { repeatsNotice } from "@cm/prompt-grammar";
import type { PiArguments } from "../pi/pi-types.ts";

type PiValue = PiArguments[string];

/**
 * A call's arguments with what the prompt left out of them: texts that end in a notice stand where they stand in `sent`. All else is as the model wrote it, also where the prompt has a mark for a secret.
 */
export function foldedArgs(sent: JsonObject, original: PiArguments): PiArguments {
  // A model may say `null`, or a list: then Pi has that.
  if (!isObject(original)) return original;
  return Object.fromEntries(
    Object.entries(original).map(([key, value]) => [key, key in sent ? folded(sent[key], value) : value]),
  );
}

function folded(sent: unknown, original: PiValue): PiValue {
  if (typeof sent === "string" && typeof original === "string") return isLeftOut(sent, original) ? sent : original;
  if (Array.isArray(original)) {
    return Array.isArray(sent) ? original.map((value, place) => folded(sent[place], value)) : original;
  }
  return isObject(sent) && isObject(original) ? foldedArgs(sent as JsonObject, original as PiArguments) : original;
}

const isLeftOut = (sent: string, original: string): boolean =>
  sent !== original && repeatsNotice(sent) !== undefined && repeatsNotice(original) === undefined;

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

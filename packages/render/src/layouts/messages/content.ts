import type { PromptMessage } from "@cm/context-log";
import { canonicalJson, type JsonObject } from "@cm/object-model";

/**
 * What the provider counts of a message: its text, then each call's arguments as canonical JSON, so that the bytes do
 * not depend on the order of keys. `chars` of a message is the length of this.
 */
export function messageContent(message: Pick<PromptMessage, "text" | "calls">): string {
  return (message.calls ?? []).reduce((content, call) => content + canonicalJson(call.args), message.text);
}

const argsLengths = new WeakMap<JsonObject, number>();

/** Length of arguments as canonical JSON, counted once for each object: arguments never change. */
export function argsChars(args: JsonObject): number {
  const known = argsLengths.get(args);
  if (known !== undefined) return known;
  const length = canonicalJson(args).length;
  argsLengths.set(args, length);
  return length;
}

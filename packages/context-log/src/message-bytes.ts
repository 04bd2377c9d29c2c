import { canonicalJson } from "@cm/object-model";
import type { PromptMessage } from "./view.ts";

/** About 1,600 tokens, the most that common providers count for an image. */
const attachmentBytes = 6_000;

const counted = new WeakMap<PromptMessage, number>();

/**
 * What a message weighs in a window, as UTF-8: text, thinking with its signature, calls with their names and arguments
 * as canonical JSON, and the id of an answered call. Each attachment weighs 6,000 bytes, whatever
 * its size, since providers count an image by its area. Counted once for each message.
 */
export function messageBytes(message: PromptMessage): number {
  const known = counted.get(message);
  if (known !== undefined) return known;
  const { text, thinking = [], calls = [], callId = "", attachments = [] } = message;
  let bytes = Buffer.byteLength(text) + Buffer.byteLength(callId) + attachments.length * attachmentBytes;
  for (const thought of thinking) bytes += Buffer.byteLength(thought.text) + Buffer.byteLength(thought.signature ?? "");
  for (const { callId: id, tool, args } of calls) {
    bytes += Buffer.byteLength(id) + Buffer.byteLength(tool) + Buffer.byteLength(canonicalJson(args));
  }
  counted.set(message, bytes);
  return bytes;
}

import type { RenderedPrompt } from "@cm/context-log";
import { canonicalJson, sha256 } from "@cm/object-model";

/** Of all that a model reads of a request; ids of messages are names of ours. */
export function sumOfRequest({ system, messages }: RenderedPrompt): string {
  const read = messages.map(
    ({ role, text, thinking = [], calls = [], callId = null, failed = false, attachments = [] }) => ({
      ...{ role, text, thinking, calls, callId, failed, attachments },
    }),
  );
  return sha256(canonicalJson(JSON.parse(JSON.stringify([system, read]))));
}

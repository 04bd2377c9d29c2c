import {
  canonicalJson,
  type DocumentOf,
  isDocumentOf,
  type ObjectDocument,
  type StepMessage,
  stepId,
} from "@cm/object-model";
import { checkedLines, type OpenBundle, type ReadLimits } from "../read/checked-lines.ts";

/**
 * Whether a step of the bundle begins with the messages that a paused session in the store had taken in: then nothing
 * of them is lost when the bundle's head takes its place. Only such a session needs the bundle to be read once more.
 */
export async function containsPendingMessages(
  { head, pending }: DocumentOf<"session">,
  open: OpenBundle,
  options: ReadLimits,
): Promise<boolean> {
  const messages = pending?.messages ?? [];
  if (messages.length === 0) return true;
  const after = head === null ? "" : stepId(head);
  for await (const { line } of checkedLines(open, options)) {
    if (line.kind !== "version" || !isStepAfter(line.document, after)) continue;
    const first = line.document.messages.slice(0, messages.length);
    if (canonicalJson(first) === canonicalJson(asErased(messages, line.document))) return true;
  }
  return false;
}

/** The messages without what was erased of them in the step, so that the two can be compared. */
function asErased(messages: readonly StepMessage[], { replaces }: DocumentOf<"step">): readonly StepMessage[] {
  const gone = new Set(replaces?.texts.flatMap(({ message, part }) => (part === "text" ? [message] : [])));
  return messages.map((message, place) =>
    gone.has(place) && message.role === "user" ? { ...message, text: "" } : message,
  );
}

function isStepAfter(document: ObjectDocument, after: string): document is DocumentOf<"step"> {
  if (!isDocumentOf(document, "step")) return false;
  return (document.parent === null ? "" : stepId(document.parent)) === after;
}

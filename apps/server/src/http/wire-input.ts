import type { InboxMessage } from "../agent/inbox.ts";
import type { WireInput } from "./schemas.ts";

/** What a person says, as a message of the agent: files and pages are named, and it opens them itself. */
export function messageOf(input: WireInput, id: string): InboxMessage {
  if (typeof input === "string") return { id, text: input };
  const lines = input.flatMap((part) => {
    if (part.type === "text") return [part.text];
    if (part.type === "url") return [`Page: ${part.url}`];
    return part.type === "file" ? [`File: ${part.path}`] : [];
  });
  const attachments = input.flatMap((part) =>
    part.type === "binary" ? [{ mime: part.mime, data: Buffer.from(part.data, "base64") }] : [],
  );
  return { id, text: lines.join("\n\n"), ...(attachments.length > 0 ? { attachments } : {}) };
}

/** Whether there is nothing in it that an agent could answer. */
export function isEmptyInput(input: WireInput): boolean {
  const { text, attachments = [] } = messageOf(input, "");
  return text.trim() === "" && attachments.length === 0;
}

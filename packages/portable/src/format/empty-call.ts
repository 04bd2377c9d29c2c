import { chatId, type ObjectDocument, sealDocument } from "@cm/object-model";

/**
 * A call that says nothing, to be erased where it was written: prompts and verifications then say of it what they said
 * where it was erased first, and not that it was lost.
 */
export function emptyCall(id: string, session: string): ObjectDocument {
  const payload = { content: null, tool: "erased", args: {}, status: "ok" as const, chat_ref: chatId(session) };
  return sealDocument({ type: "toolcall", id }, payload);
}

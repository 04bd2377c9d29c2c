import type { ConversationFields } from "../documents/types.ts";
import { notFound } from "../errors.ts";
import type { Records, Stored } from "./records.ts";

/** @throws CmError `lineage/not-found` */
export async function readConversation(
  { records }: { readonly records: Records },
  id: string,
): Promise<Stored<ConversationFields>> {
  const conversation = await records.read("conversation", id);
  if (conversation === undefined) throw notFound("conversation", id);
  return conversation;
}

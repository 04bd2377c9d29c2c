import { defined } from "@cm/object-model";
import type { LineageContext, ReadingContext } from "./context.ts";
import type { ConversationFields } from "./documents/types.ts";
import { invalid } from "./errors.ts";
import { readConversation } from "./records/read-conversation.ts";
import { changed, type Stored } from "./records/records.ts";
import { type Metadata, mergeMetadata } from "./rules/merge-metadata.ts";
import { checkMetadata, checkName, checkTitle } from "./rules/names.ts";
import { checkCursor, checkPageRows } from "./rules/page-rows.ts";

/** The seed's conversation index, and the run that is running in it. */
export interface Conversation extends Omit<ConversationFields, "last_us"> {
  readonly conversation_id: string;
}

/** Absent fields stay; null takes a title or preset away. */
export interface ConversationPatch {
  readonly title?: string | null;
  readonly defaultPresetId?: string | null;
  /** Merged member by member; null removes one. */
  readonly metadata?: Metadata;
  readonly status?: "active" | "archived";
}

export interface ConversationFilter {
  readonly status?: "active" | "archived";
  readonly defaultPresetId?: string;
  /** What the metadata contain. */
  readonly metadata?: Metadata;
  readonly limit?: number;
  readonly cursor?: string;
}

export interface ConversationPage {
  /** Those that were made last first. */
  readonly conversations: readonly Conversation[];
  readonly next?: string;
}

export async function getConversation(context: ReadingContext, id: string): Promise<Conversation> {
  return conversationOf(await readConversation(context, id));
}

/** @throws CmError `lineage/not-found`, `lineage/limit`, `lineage/invalid` */
export async function updateConversation(
  context: LineageContext,
  id: string,
  patch: ConversationPatch,
): Promise<Conversation> {
  const { title, defaultPresetId, status, metadata } = patch;
  if (typeof title === "string") checkTitle(title);
  if (typeof defaultPresetId === "string") checkName("defaultPresetId", defaultPresetId);
  if (status !== undefined && status !== "active" && status !== "archived") {
    throw invalid("status", "A conversation is active or archived; choose one.");
  }
  const fields = await context.records.change(async () => {
    const conversation = await readConversation(context, id);
    const merged =
      metadata === undefined ? undefined : checkMetadata(mergeMetadata(conversation.fields.metadata, metadata));
    const changes = {
      ...defined({ title, default_preset_id: defaultPresetId, status, metadata: merged }),
      updated_at: Math.max(conversation.fields.updated_at, context.now()),
    };
    return { writes: [changed("conversation", conversation, changes)], result: { ...conversation.fields, ...changes } };
  });
  return conversationOf({ id, fields, token: "" });
}

export async function listConversations(
  { records }: ReadingContext,
  { status, defaultPresetId, metadata, limit, cursor }: ConversationFilter,
): Promise<ConversationPage> {
  const where = defined({ status, default_preset_id: defaultPresetId, metadata });
  const page = await records.page("conversation", where, {
    limit: checkPageRows(limit),
    ...defined({ cursor: checkCursor("conversation", cursor) }),
  });
  return { conversations: page.records.map(conversationOf), ...defined({ next: page.next }) };
}

function conversationOf({ id, fields }: Stored<ConversationFields>): Conversation {
  const { last_us: _us, ...rest } = fields;
  return { conversation_id: id, ...rest };
}

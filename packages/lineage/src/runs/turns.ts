import { defined } from "@cm/object-model";
import type { ReadingContext } from "../context.ts";
import { invalid, notFound, shown } from "../errors.ts";
import { readConversation } from "../records/read-conversation.ts";
import { cursorAfter } from "../records/records.ts";
import { checkPageRows } from "../rules/page-rows.ts";

/** What was asked and what was answered. */
export interface Turn {
  readonly session_id: string;
  readonly parent_session_id: string | null;
  readonly input: unknown;
  readonly output: string | null;
  readonly status: "committed" | "awaiting_tool_results";
  /** Milliseconds since the epoch. */
  readonly created_at: number;
}

export interface TurnsRequest {
  readonly limit?: number;
  /** The turns before this one, by its run. Default: the newest. */
  readonly before?: string;
}

export interface TurnsPage {
  /** In the order of time. */
  readonly turns: readonly Turn[];
  /** Whether there are earlier ones: ask for those before the first of these. */
  readonly has_more: boolean;
}

/** The snapshots of a conversation's agent as a dialogue. @throws CmError `lineage/not-found`, `lineage/invalid` */
export async function readTurns(
  context: ReadingContext,
  conversationId: string,
  { limit, before }: TurnsRequest,
): Promise<TurnsPage> {
  const { records } = context;
  const rows = checkPageRows(limit);
  await readConversation(context, conversationId);
  const cursor = before === undefined ? undefined : await cursorOf(context, conversationId, before);
  const where = { conversation_id: conversationId, is_snapshot: true, session_type: "agent" };
  const page = await records.page("run", where, { limit: rows, ...defined({ cursor }) });
  const turns = page.records.map(({ id, fields }): Turn => {
    const { parent_session_id, input, output, status, created_at } = fields;
    return { session_id: id, parent_session_id, input, output, status: status as Turn["status"], created_at };
  });
  return { turns: turns.reverse(), has_more: page.next !== undefined };
}

async function cursorOf({ records }: ReadingContext, conversationId: string, before: string): Promise<string> {
  const run = await records.read("run", before);
  if (run === undefined) throw notFound("run", before);
  if (run.fields.conversation_id === conversationId) return cursorAfter("run", run);
  throw invalid("before", `The run ${shown(before)} belongs to another conversation; name that one.`);
}

import type { Run } from "@cm/lineage";
import { serverError } from "../errors.ts";
import { limits } from "../limits.ts";
import { streamKeyOf } from "./problems.ts";
import type { ServerState } from "./server-state.ts";
import { wireConversation, wireSession } from "./wire-records.ts";

interface Page {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** One conversation with its newest snapshot, what runs in it, and how much waits in its mailbox. */
export async function detailsOf(id: string, { runtime }: ServerState) {
  const { lineage, presets } = runtime;
  const found = await lineage.conversation(id);
  const [posts, latest] = await Promise.all([lineage.mailbox(id), newestSnapshot(id, runtime.lineage)]);
  const running = found.running === null ? undefined : await lineage.run(found.running);
  const isRunning = running?.status === "created";
  return {
    ...wireConversation(found),
    latest_session: latest === undefined ? null : wireSession(latest, presets),
    active_session: isRunning
      ? { session_id: running.session_id, stream_key: streamKeyOf(running.session_id), transport: running.transport }
      : null,
    mailbox: { pending_count: posts.length },
  };
}

/** The runs after the newest snapshot have failed or run now: a few. */
async function newestSnapshot(
  conversationId: string,
  lineage: ServerState["runtime"]["lineage"],
): Promise<Run | undefined> {
  const { turns } = await lineage.turns(conversationId, { limit: 1 });
  const [turn] = turns;
  return turn === undefined ? undefined : lineage.run(turn.session_id);
}

export async function turnsPage(
  id: string,
  { limit, cursor, withDisplay }: Page & { readonly withDisplay: boolean },
  { runtime: { lineage } }: ServerState,
) {
  const { turns, has_more } = await lineage.turns(id, {
    limit: limit ?? limits.pageRowsDefault,
    ...(cursor === undefined ? {} : { before: cursor }),
  });
  const items = await Promise.all(
    turns.map(async ({ session_id, input, output, created_at }) => ({
      ...{ session_id, input, final_message: output, session_type: "agent" as const },
      created_at: new Date(created_at).toISOString(),
      ...(withDisplay ? { display_messages: [...(await lineage.display(session_id))] } : {}),
    })),
  );
  return { items, has_more, next_cursor: has_more ? (turns[0]?.session_id ?? null) : null };
}

export async function runsPage(
  id: string,
  { limit, cursor, type }: Page & { readonly type?: Run["session_type"] | undefined },
  { runtime: { lineage, presets } }: ServerState,
) {
  await lineage.conversation(id);
  const { runs, next } = await lineage.runs({
    ...{ conversationId: id, limit: limit ?? limits.pageRowsDefault },
    ...(cursor === undefined ? {} : { cursor }),
    ...(type === undefined ? {} : { type }),
  });
  return {
    items: runs.map((run) => wireSession(run, presets)),
    has_more: next !== undefined,
    next_cursor: next ?? null,
  };
}

/** @throws CmError `server/invalid-request` */
export function metadataFilter(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Said below, with all else that is no object.
  }
  throw serverError("server/invalid-request", "The filter of metadata is no JSON object.");
}

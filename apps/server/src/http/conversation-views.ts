import type { Run, RunFilter } from "@cm/lineage";
import { defined } from "@cm/object-model";
import type { z } from "@hono/zod-openapi";
import { serverError } from "../errors.ts";
import { limits } from "../limits.ts";
import { activeSession } from "./problems.ts";
import type { runFilter } from "./schemas.ts";
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
    active_session: isRunning ? activeSession(running.session_id, running.transport) : null,
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

/** What a list of runs may be asked for. */
export type RunsQuery = Page & { readonly [Field in keyof RunFilter]?: RunFilter[Field] | undefined };

/** The same in the words of the lineage. */
export const runsQueryOf = (query: z.infer<z.ZodObject<typeof runFilter>> & Page): RunsQuery => ({
  ...{ limit: query.limit, cursor: query.cursor, status: query.status, type: query.session_type },
  ...{ transport: query.transport, parentId: query.parent_session_id, spawnedBy: query.spawned_by },
  presetId: query.preset_id,
});

export async function runsPage(asked: RunsQuery, { runtime: { lineage, presets } }: ServerState) {
  const { runs, next } = await lineage.runs(defined({ ...asked, limit: asked.limit ?? limits.pageRowsDefault }));
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

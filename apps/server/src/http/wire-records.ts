import type { Conversation, Run } from "@cm/lineage";
import type { Presets } from "../presets/read-presets.ts";
import { streamKeyOf } from "./problems.ts";
import type { WireConversation, WireSession } from "./schemas.ts";

const time = (ms: number): string => new Date(ms).toISOString();

/** A run as the wire has it, under the seed's name for it. */
export function wireSession(run: Run, presets: Presets): WireSession {
  const { state, environment, run_summary: summary } = run;
  const { workspace } = environment ?? {};
  return {
    ...{ session_id: run.session_id, parent_session_id: run.parent_session_id, conversation_id: run.conversation_id },
    ...{ status: run.status, session_type: run.session_type, transport: run.transport },
    stream_key: run.stream_key ?? (run.transport === "stream" ? streamKeyOf(run.session_id) : null),
    ...{ spawned_by: run.spawned_by, preset_id: run.preset_id, subagent_name: run.subagent_name },
    workspace_id: workspace ?? null,
    project_ids: [...(workspace === undefined ? (environment?.projects ?? []) : foldersOf(workspace, presets))],
    ...{ input: run.input, final_message: run.output, failure: run.failure },
    run_summary: summary === null ? null : { ...summary, usage_by_model: { ...summary.usage_by_model } },
    step: typeof state === "object" && state !== null ? { ...state.step, basis: state.basis } : null,
    pending: run.pending.map((call) => ({ ...call })),
    created_at: time(run.created_at),
    ended_at: run.ended_at === null ? null : time(run.ended_at),
  };
}

/** A workspace that the presets no longer have has no folders here. */
function foldersOf(workspace: string, presets: Presets): readonly string[] {
  try {
    return presets.workspace(workspace);
  } catch {
    return [];
  }
}

export const wireConversation = (conversation: Conversation): WireConversation => ({
  ...{ conversation_id: conversation.conversation_id, title: conversation.title },
  ...{ default_preset_id: conversation.default_preset_id, status: conversation.status },
  metadata: { ...conversation.metadata },
  created_at: time(conversation.created_at),
  updated_at: time(conversation.updated_at),
});

import { defined } from "@cm/object-model";
import type { ReadingContext } from "../context.ts";
import type { RunFields, RunStatus } from "../documents/types.ts";
import { checkCursor, checkPageRows } from "../rules/page-rows.ts";
import { type Run, runOf } from "./run.ts";

export interface RunFilter {
  readonly conversationId?: string;
  readonly status?: RunStatus;
  readonly type?: RunFields["session_type"];
  readonly transport?: RunFields["transport"];
  /** Runs that go on from this one, forks among them. */
  readonly parentId?: string;
  readonly spawnedBy?: string;
  readonly presetId?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

export interface RunPage {
  /** Newest first. */
  readonly runs: readonly Run[];
  readonly next?: string;
}

export async function listRuns({ records }: ReadingContext, filter: RunFilter): Promise<RunPage> {
  const { conversationId, status, type, transport, parentId, spawnedBy, presetId, limit, cursor } = filter;
  const where = defined({
    conversation_id: conversationId,
    status,
    session_type: type,
    transport,
    parent_session_id: parentId,
    spawned_by: spawnedBy,
    preset_id: presetId,
  });
  const page = await records.page("run", where, {
    limit: checkPageRows(limit),
    ...defined({ cursor: checkCursor("run", cursor) }),
  });
  return { runs: page.records.map(runOf), ...defined({ next: page.next }) };
}

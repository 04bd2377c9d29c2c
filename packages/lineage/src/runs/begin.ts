import type { Write } from "@cm/object-model";
import type { LineageContext } from "../context.ts";
import { checkId } from "../documents/ids.ts";
import type { ConversationFields, RunFields } from "../documents/types.ts";
import { fault, invalid } from "../errors.ts";
import { created, type Plan, type Stored } from "../records/records.ts";
import { type Answers, resolveAnswers } from "../rules/answers.ts";
import { checkEnvironment } from "../rules/environment.ts";
import { isSilent } from "../rules/run-input.ts";
import { forgetState } from "./forget-state.ts";
import { checkRequest, type RunRequest } from "./requests.ts";
import { type Run, runOf } from "./run.ts";

/** Makes the id, holds the lease, commits the plan, and takes the run into the registry. */
export async function start(
  context: LineageContext,
  request: RunRequest,
  plan: (id: string) => Promise<Plan<Started>>,
): Promise<Run> {
  const { records, registry, ownership } = context;
  checkRequest(request);
  const id = request.id === undefined ? context.newId() : checkId("id", request.id);
  const started = await registry.start(id, async () => {
    await ownership.renewInTime();
    const run = await records.change(async () => {
      const [isTaken, planned] = await Promise.all([records.isTaken(id), plan(id)]);
      if (isTaken) throw taken(id);
      return planned;
    });
    const { conversation_id: conversationId, session_type: sessionType } = run.fields;
    return { run, conversationId, sessionType };
  });
  for (const failed of started.run.failed) await forgetState(context, failed);
  return runOf(started.run);
}

export interface Started extends Stored<RunFields> {
  /** Runs of processes that are gone, which ended with this start. */
  readonly failed: readonly string[];
}

export function planOf(
  id: string,
  fields: RunFields,
  others: readonly Write[],
  failed: readonly string[] = [],
): Plan<Started> {
  return { writes: [...others, created("run", id, fields)], result: { id, fields, token: "", failed } };
}

export function newRun(
  { now, ownership }: LineageContext,
  { input, presetId, transport = "sse", streamKey, environment, ...rest }: RunRequest & { readonly answers?: Answers },
  {
    parent,
    follows = parent,
    after_us,
  }: {
    readonly parent: Stored<RunFields> | null;
    /** The run whose environment it has where it names none. */
    readonly follows?: Stored<RunFields> | null;
    readonly after_us: number;
  },
): RunFields {
  const nowMs = now();
  const pending = parent?.fields.pending ?? [];
  if (rest.answers !== undefined && pending.length === 0 && isSilent(input)) throw nothingWaits();
  const earliest = Math.max(after_us, parent?.fields.created_us ?? 0);
  return {
    // Each caller names its own.
    conversation_id: "",
    parent_session_id: parent?.id ?? null,
    status: "created",
    is_snapshot: false,
    session_type: "agent",
    transport,
    stream_key: streamKey ?? null,
    spawned_by: null,
    preset_id: presetId ?? null,
    subagent_name: null,
    environment: environment === undefined ? (follows?.fields.environment ?? null) : checkEnvironment(environment),
    input,
    output: null,
    run_summary: null,
    state: null,
    pending: [],
    resolved: resolveAnswers(pending, rest.answers).map((call) => ({ ...call })),
    failure: null,
    owner: ownership.mark,
    created_at: nowMs,
    ended_at: null,
    created_us: Math.max(nowMs * 1_000, earliest + 1),
  };
}

export function newConversation(
  { now }: LineageContext,
  {
    presetId,
    ...fields
  }: Pick<ConversationFields, "title" | "metadata" | "running" | "last_us"> & {
    readonly presetId: string | null;
  },
): ConversationFields {
  const nowMs = now();
  return { ...fields, default_preset_id: presetId, status: "active", created_at: nowMs, updated_at: nowMs };
}

const nothingWaits = () =>
  invalid("answers", "No call waits for an answer, and nothing else is said; say something in the input.");

const taken = (id: string) =>
  fault("lineage/taken", `The id ${id} is in use; leave it out to get a fresh one.`, { id });

import type { Write } from "@cm/object-model";
import type { LineageContext } from "../context.ts";
import { checkId } from "../documents/ids.ts";
import type { ConversationFields, RunFields } from "../documents/types.ts";
import { fault, invalid, notFound, overLimit, shown } from "../errors.ts";
import { lineageLimits } from "../limits.ts";
import { changed, created, type Plan, type Stored } from "../records/records.ts";
import { type Answers, resolveAnswers } from "../rules/answers.ts";
import { checkEnvironment, type EnvironmentRequest, firstEnvironment } from "../rules/environment.ts";
import { checkMetadata, checkName, checkTitle } from "../rules/names.ts";
import { type RunInput, titleOf } from "../rules/run-input.ts";
import { freeingWrites } from "./claim.ts";
import { forgetState } from "./forget-state.ts";
import { newestSnapshot, type Run, readSnapshot, runOf } from "./run.ts";

/** What every new run may say. */
export interface RunRequest {
  /** Default: a fresh one. An id is never used twice. */
  readonly id?: string;
  readonly input: RunInput;
  /** Default: the conversation's. */
  readonly presetId?: string;
  /** Default: `sse`. The run goes on whether anybody reads or not. */
  readonly transport?: "sse" | "stream";
  readonly streamKey?: string;
  /** Default: that of the run that it follows. */
  readonly environment?: EnvironmentRequest;
}

export interface RootRequest extends RunRequest {
  /** Default: the beginning of the first text. */
  readonly title?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface ContinueRequest extends RunRequest {
  readonly conversationId: string;
  /** The snapshot that the caller knows as the newest. Default: whichever is. */
  readonly parentId?: string;
  /** What is said to the calls that wait since the parent. What is not covered is denied or failed. */
  readonly answers?: Answers;
}

export interface ForkRequest extends RunRequest {
  readonly conversationId: string;
  /** Any snapshot of the conversation. Default: the newest of its agent. */
  readonly from?: string;
  readonly title?: string;
  readonly answers?: Answers;
}

export interface SubagentRequest extends RunRequest {
  /** The run that dispatches it. */
  readonly spawnedBy: string;
  /** Dispatched again under the same name it goes on from its own last snapshot. */
  readonly name: string;
  readonly presetEnvironment?: EnvironmentRequest;
  readonly defaultEnvironment?: EnvironmentRequest;
  readonly answers?: Answers;
}

/** @throws CmError `lineage/taken` for an id that is in use */
export function startRoot(context: LineageContext, request: RootRequest): Promise<Run> {
  const { title, metadata = {} } = request;
  if (title !== undefined) checkTitle(title);
  checkMetadata(metadata);
  return start(context, request, async (id) => {
    const common = newRun(context, request, { parent: null, after_us: 0 });
    const conversation = newConversation(context, {
      running: id,
      title: title ?? titleOf(request.input),
      presetId: request.presetId ?? null,
      metadata,
      last_us: common.created_us,
    });
    const fields = { ...common, conversation_id: id };
    return planOf(id, fields, [created("conversation", id, conversation)]);
  });
}

/** The newest agent snapshot goes on. @throws CmError `lineage/busy`, `lineage/not-found`, `lineage/invalid` */
export function startContinue(context: LineageContext, request: ContinueRequest): Promise<Run> {
  return start(context, request, (id) => planContinue(context, id, request));
}

/** `startContinue` with writes that belong to it. */
export async function planContinue(
  context: LineageContext,
  id: string,
  request: ContinueRequest,
  also: readonly Write[] = [],
): Promise<Plan<Started>> {
  const { records } = context;
  const conversation = await readConversation(context, request.conversationId);
  if (conversation.fields.status === "archived") throw archived(conversation.id);
  const freed = await freeingWrites(context, conversation);
  const named = request.parentId === undefined ? undefined : await readSnapshot(records, request.parentId);
  const newest = await newestSnapshot(records, conversation.id, { session_type: "agent" });
  checkParent(conversation.id, named, newest);
  if (newest === undefined) throw notFound("committed run in the conversation", conversation.id);
  const common = newRun(context, request, { parent: newest, after_us: conversation.fields.last_us });
  const fields = {
    ...common,
    conversation_id: conversation.id,
    preset_id: common.preset_id ?? conversation.fields.default_preset_id,
  };
  const claimed = changed("conversation", conversation, {
    running: id,
    last_us: fields.created_us,
    updated_at: Math.max(conversation.fields.updated_at, context.now()),
  });
  return planOf(id, fields, [claimed, ...freed.writes, ...also], freed.failed);
}

/** A new conversation that begins with a snapshot of another. Nothing is copied. @throws CmError `lineage/not-found`, `lineage/invalid` */
export function startFork(context: LineageContext, request: ForkRequest): Promise<Run> {
  if (request.title !== undefined) checkTitle(request.title);
  return start(context, request, async (id) => {
    const source = await readConversation(context, request.conversationId);
    const parent =
      request.from === undefined
        ? await newestSnapshot(context.records, source.id, { session_type: "agent" })
        : await readForkPoint(context, request.from, source.id);
    if (parent === undefined) throw notFound("committed run in the conversation", source.id);
    const presetId = request.presetId ?? source.fields.default_preset_id;
    const common = newRun(context, request, { parent, after_us: 0 });
    const conversation = newConversation(context, {
      running: id,
      title: request.title ?? titleOf(request.input) ?? source.fields.title,
      presetId,
      metadata: {},
      last_us: common.created_us,
    });
    const fields = { ...common, conversation_id: id, preset_id: presetId };
    return planOf(id, fields, [created("conversation", id, conversation)]);
  });
}

/** Beside the agent run, which it does not block. @throws CmError `lineage/not-found` */
export function startSubagent(context: LineageContext, request: SubagentRequest): Promise<Run> {
  return start(context, request, async (id) => {
    const { records } = context;
    const { name, spawnedBy } = request;
    checkName("name", name);
    const spawner = await records.read("run", spawnedBy);
    if (spawner === undefined) throw notFound("run", spawnedBy);
    const { conversation_id } = spawner.fields;
    const kind = { session_type: "async_subagent", subagent_name: name } as const;
    const parent = (await newestSnapshot(records, conversation_id, kind)) ?? null;
    const common = newRun(context, request, { parent, after_us: spawner.fields.created_us });
    const environment = firstEnvironment(
      request.environment,
      request.presetEnvironment,
      parent?.fields.environment ?? spawner.fields.environment,
      request.defaultEnvironment,
    );
    return planOf(id, { ...common, ...kind, conversation_id, spawned_by: spawner.id, environment }, []);
  });
}

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
      const [sameRun, sameConversation] = await Promise.all([
        records.read("run", id),
        records.read("conversation", id),
      ]);
      if (sameRun !== undefined || sameConversation !== undefined) throw taken(id);
      return plan(id);
    });
    const { conversation_id: conversationId, session_type: sessionType } = run.fields;
    return { run, conversationId, sessionType };
  });
  for (const failed of started.run.failed) await forgetState(context, failed);
  return runOf(started.run);
}

interface Started extends Stored<RunFields> {
  /** Runs of processes that are gone, which ended with this start. */
  readonly failed: readonly string[];
}

function planOf(
  id: string,
  fields: RunFields,
  others: readonly Write[],
  failed: readonly string[] = [],
): Plan<Started> {
  return { writes: [...others, created("run", id, fields)], result: { id, fields, token: "", failed } };
}

function newRun(
  { now, ownership }: LineageContext,
  { input, presetId, transport = "sse", streamKey, environment, ...rest }: RunRequest & { readonly answers?: Answers },
  { parent, after_us }: { readonly parent: Stored<RunFields> | null; readonly after_us: number },
): RunFields {
  const nowMs = now();
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
    environment: environment === undefined ? (parent?.fields.environment ?? null) : checkEnvironment(environment),
    input,
    output: null,
    run_summary: null,
    state: null,
    pending: [],
    resolved: resolveAnswers(parent?.fields.pending ?? [], rest.answers).map((call) => ({ ...call })),
    failure: null,
    owner: ownership.mark,
    created_at: nowMs,
    ended_at: null,
    created_us: Math.max(nowMs * 1_000, earliest + 1),
  };
}

function newConversation(
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

/** @throws CmError `lineage/not-found` */
export async function readConversation(
  { records }: Pick<LineageContext, "records">,
  id: string,
): Promise<Stored<ConversationFields>> {
  const conversation = await records.read("conversation", id);
  if (conversation === undefined) throw notFound("conversation", id);
  return conversation;
}

async function readForkPoint({ records }: LineageContext, from: string, conversationId: string) {
  const run = await records.read("run", from);
  if (run === undefined) throw notFound("run", from);
  if (run.fields.conversation_id !== conversationId) throw elsewhere("from", from);
  return readSnapshot(records, from);
}

/** A parent that is named must be the one that would be taken. */
function checkParent(
  conversationId: string,
  named: Stored<RunFields> | undefined,
  newest: Stored<RunFields> | undefined,
): void {
  if (named === undefined) return;
  if (named.fields.conversation_id !== conversationId) throw elsewhere("parentId", named.id);
  if (named.id === newest?.id) return;
  throw invalid("parentId", "The parent is not the newest agent run of the conversation; fork from it to go on there.");
}

const elsewhere = (field: string, id: string) =>
  invalid(field, `The run ${shown(id)} belongs to another conversation; name that one.`);

const archived = (id: string) =>
  invalid("conversationId", `The conversation ${id} is archived; make it active to go on with it.`);

const taken = (id: string) =>
  fault("lineage/taken", `The id ${id} is in use; leave it out to get a fresh one.`, { id });

function checkRequest({ input, presetId, streamKey }: RunRequest): void {
  const bytes = Buffer.byteLength(JSON.stringify(input) ?? "");
  if (bytes > lineageLimits.inputBytesMax) throw overLimit("inputBytesMax", bytes);
  if (presetId !== undefined) checkName("presetId", presetId);
  if (streamKey !== undefined) checkName("streamKey", streamKey);
}

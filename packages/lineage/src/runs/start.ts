import { defined, type Write } from "@cm/object-model";
import type { LineageContext } from "../context.ts";
import type { RunFields } from "../documents/types.ts";
import { invalid, notFound, shown } from "../errors.ts";
import { readConversation } from "../records/read-conversation.ts";
import { changed, created, type Plan, type Records, type Stored } from "../records/records.ts";
import { firstEnvironment } from "../rules/environment.ts";
import { mergeMetadata } from "../rules/merge-metadata.ts";
import { checkMetadata, checkName, checkTitle } from "../rules/names.ts";
import { titleOf } from "../rules/run-input.ts";
import { newConversation, newRun, planOf, type Started, start } from "./begin.ts";
import { freeingWrites } from "./claim.ts";
import type { ContinueRequest, ForkRequest, RootRequest, SubagentRequest } from "./requests.ts";
import { newestOfAgent, newestSnapshot, type Run, readSnapshot } from "./run.ts";

/** @throws CmError `lineage/taken` for an id that is in use */
export async function startRoot(context: LineageContext, request: RootRequest): Promise<Run> {
  const { title } = request;
  if (title !== undefined) checkTitle(title);
  const metadata = checkMetadata(mergeMetadata({}, request.metadata ?? {}));
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

/**
 * The newest agent snapshot goes on; where none was ever committed, the conversation begins anew as it began.
 * @throws CmError `lineage/run-missing`, `lineage/busy`, `lineage/not-found`, `lineage/invalid`
 */
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
  // First of all: whatever ends or starts after this read changes the conversation, and then this plan is not committed.
  const conversation = await readConversation(context, request.conversationId);
  if (conversation.fields.status === "archived") throw archived(conversation.id);
  const freed = await freeingWrites(context, conversation);
  // What ended there is what the new run goes on from.
  if (freed === undefined) return planContinue(context, id, request, also);
  const named = request.parentId === undefined ? undefined : await readSnapshot(records, request.parentId);
  const newest = await newestOfAgent(records, conversation);
  checkParent(conversation.id, named, newest);
  const from = newest === undefined ? await beginning(records, conversation.id) : { parent: newest };
  const common = newRun(context, request, { ...from, after_us: conversation.fields.last_us });
  const fields = {
    ...common,
    conversation_id: conversation.id,
    preset_id: common.preset_id ?? conversation.fields.default_preset_id,
  };
  const { metadata } = request;
  const merged = metadata && checkMetadata(mergeMetadata(conversation.fields.metadata, metadata));
  const claimed = changed("conversation", conversation, {
    ...defined({ metadata: merged }),
    running: id,
    last_us: fields.created_us,
    updated_at: Math.max(conversation.fields.updated_at, context.now()),
  });
  return planOf(id, fields, [claimed, ...freed.writes, ...also], freed.failed);
}

/** A new conversation that begins with a snapshot of another. Nothing is copied. @throws CmError `lineage/not-found`, `lineage/invalid` */
export async function startFork(context: LineageContext, request: ForkRequest): Promise<Run> {
  const { title } = request;
  if (title !== undefined) checkTitle(title);
  const metadata = checkMetadata(mergeMetadata({}, request.metadata ?? {}));
  return start(context, request, async (id) => {
    const source = await readConversation(context, request.conversationId);
    const parent =
      request.from === undefined
        ? await newestOfAgent(context.records, source)
        : await readForkPoint(context, request.from, source.id);
    if (parent === undefined) throw notFound("committed run in the conversation", source.id);
    const presetId = request.presetId ?? source.fields.default_preset_id;
    const common = newRun(context, request, { parent, after_us: 0 });
    const conversation = newConversation(context, {
      running: id,
      title: title ?? titleOf(request.input) ?? source.fields.title,
      presetId,
      metadata,
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

async function readForkPoint({ records }: LineageContext, from: string, conversationId: string) {
  const run = await records.read("run", from);
  if (run === undefined) throw notFound("run", from);
  if (run.fields.conversation_id !== conversationId) throw elsewhere("from", from);
  return readSnapshot(records, from);
}

/** Where every run of a conversation failed, the next one begins as the first one did, and works where it did. */
async function beginning(records: Records, conversationId: string) {
  const first = await records.read("run", conversationId);
  if (first === undefined) throw notFound("run", conversationId);
  const { parent_session_id: parent } = first.fields;
  return { follows: first, parent: parent === null ? null : await readSnapshot(records, parent) };
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

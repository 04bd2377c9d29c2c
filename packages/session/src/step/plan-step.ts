import type { FileTouch, Prices, Renderer } from "@cm/context-log";
import {
  type AssembledRequest,
  checkInvariants,
  DraftChanges,
  entriesToDemote,
  type LogState,
  type Membership,
  memberCount,
  newResults,
  type StepObjects,
  succession,
  touchedBy,
} from "@cm/context-log/state";
import {
  type Checkout,
  type DocumentOf,
  defined,
  type ObjectStore,
  type SetChanges,
  type StepMessage,
  type Write,
} from "@cm/object-model";
import { type PlannedKeyframe, plannedKeyframe, type SessionHeads } from "@cm/step-log/load";
import { sameCheckouts } from "../files/checkouts.ts";
import type { FileIndex } from "../files/file-index.ts";
import { observedIn } from "../files/observed.ts";
import { type IndexedFile, redactionsIn, touchedFile } from "../files/touches.ts";
import type { AttachmentDocuments, CleanAnswer, CleanResult } from "../input/clean.ts";
import type { ConflictFork, Lease } from "./contention.ts";
import { keyframeDue } from "./keyframe-due.ts";
import { type Adopted, type Pending, samePending } from "./pending.ts";
import { headsAfter, type StepFacts, stepDocument, systemPromptWrite, writesOf } from "./step-documents.ts";
import { idOfDraft, type ToolcallDraft, toolcallDocument } from "./toolcall-documents.ts";

/** Everything a step is written from. */
export interface StepDraft extends StepFacts {
  /** What a paused session had left, and this step has taken in. */
  readonly restored: Pending | undefined;
  /** The working copies as they are now; undefined where no source can tell. */
  readonly checkouts: readonly Checkout[] | undefined;
  /** Messages that were taken in before the request. */
  readonly incoming: readonly StepMessage[];
  /** Files of others that were adopted since the request; the state has them already. */
  readonly adopted: readonly Adopted[];
  readonly answer: CleanAnswer;
  readonly results: readonly CleanResult[];
  /** Files of results that came late: looked at with this step's. */
  readonly lateTouches: readonly FileTouch[];
  readonly attachments: AttachmentDocuments;
  /** Changes of the sets since the request. The state's sets are as they were then. */
  readonly changesSince: SetChanges;
  readonly redactions: number;
}

export interface StepContext {
  /** Tells this open session from every other one. */
  readonly client: string;
  readonly store: ObjectStore;
  readonly state: LogState;
  readonly heads: SessionHeads;
  readonly files: FileIndex;
  readonly lease: Lease;
  readonly residency: Renderer["residency"];
  readonly prices: Prices;
  /** Undefined: at distances that grow with the session. */
  readonly keyframeEverySteps: number | undefined;
  /** Entries of the pool after the step, unless more are in use. */
  readonly poolEntriesMax: number;
  /** Whether the store may have another system prompt than the request. */
  readonly systemPromptChanged: boolean;
}

/** One commit, planned to the last document: what is repeated when its answer is lost. */
export interface StepPlan {
  readonly writes: readonly Write[];
  readonly requestId: string;
  readonly request: AssembledRequest;
  readonly step: DocumentOf<"step">;
  readonly objects: StepObjects;
  readonly keyframe: PlannedKeyframe | undefined;
  readonly heads: Omit<SessionHeads, "basis">;
  /** There where the step begins a fork: the session goes on in it once this is written. */
  readonly fork: ConflictFork | undefined;
}

interface StepParts {
  readonly indexed: ReadonlyMap<string, IndexedFile>;
  readonly toolcalls: readonly ToolcallDraft[];
  /** The session, state and lease of the context are its own then. */
  readonly fork?: ConflictFork | undefined;
}

/** All documents of a step, and what they do to the sets. Pure. */
export function planStep(context: StepContext, draft: StepDraft, parts: StepParts): StepPlan {
  const { state, heads } = context;
  const { indexed, toolcalls, fork } = parts;
  const documents = new Map(
    toolcalls.map((toolcall) => [idOfDraft(toolcall), toolcallDocument(toolcall, state, indexed)]),
  );
  const files = [...indexed.values()];
  const isSame = draft.checkouts === undefined || sameCheckouts(draft.checkouts, state.checkouts);
  const content = {
    ...draft,
    checkouts: isSame ? undefined : draft.checkouts,
    messages: [...draft.incoming, answerMessage(draft.answer, toolcalls), ...toolcalls.map(toolMessage)],
    changes: changesOf(context, draft, parts, [...documents.values()]),
    observed: [...draft.adopted.map(({ seen }) => seen), ...observedIn(state, files)],
    redactions: draft.redactions + redactionsIn(files),
    requestedIn: fork?.fork.left,
  };
  const { next_step: n } = heads.session;
  const drafted = stepDocument(state, n, content);
  const objects = objectsOf(documents, draft.adopted, parts);
  const every = context.keyframeEverySteps;
  const keyframe = plannedKeyframe(state, drafted, {
    ...{ objects, prices: context.prices },
    ...keyframeDue(state, n, { newest: heads.session.keyframe, every }),
  });
  const hash = keyframe?.base?.contentHash;
  const named = { keyframe: hash, standing: keyframe?.standing?.content_hash };
  const step = hash === undefined ? drafted : stepDocument(state, n, { ...content, ...named });
  const after = headsAfter(state, heads, step, {
    toolcalls: toolcalls.length,
    keyframe: keyframe?.document.index === undefined ? undefined : keyframe.document["xt/id"],
    pending: samePending(heads.session.pending, draft.restored) ? undefined : heads.session.pending,
  });
  const writes: readonly Write[] = [
    ...writesOf(draft.attachments.values(), "any"),
    ...files.flatMap(({ write }) => write ?? []),
    ...toolcalls.flatMap((toolcall) => createdBy(toolcall, documents)),
    ...(context.systemPromptChanged ? [systemPromptWrite(state)] : []),
    { document: step, expect: "absent" },
    ...writesOf(
      [keyframe?.document, keyframe?.standing].filter((document) => document !== undefined),
      "any",
    ),
    { document: after.session, expect: heads.sessionToken },
    { document: after.chat, expect: heads.chatToken },
    ...context.lease.renewal(draft.recordedAtMs),
    ...(fork?.released ?? []),
  ];
  // By client: two writers may say the very same in the same moment, and are two steps.
  const requestId = `${context.client} ${step["xt/id"]} ${step.content_hash}`;
  return { writes, requestId, request: draft.request, step, objects, keyframe, heads: { ...heads, ...after }, fork };
}

function objectsOf(
  toolcalls: ReadonlyMap<string, DocumentOf<"toolcall">>,
  adopted: readonly Adopted[],
  { indexed }: StepParts,
): StepObjects {
  // By version: a file that was adopted may have been read in another one since.
  const versions = new Map(adopted.map(({ document }) => [`${document["xt/id"]} ${document.content_hash}`, document]));
  return {
    toolcall: (id) => toolcalls.get(id),
    file: (id, hash) => versions.get(`${id} ${hash}`) ?? indexed.get(id)?.document,
  };
}

/** What the step does to the sets since its request, checked against the promises about them. */
function changesOf(
  { state, residency, poolEntriesMax }: StepContext,
  draft: StepDraft,
  { indexed }: StepParts,
  toolcalls: readonly DocumentOf<"toolcall">[],
): SetChanges {
  const toolcallIds = toolcalls.map((toolcall) => toolcall["xt/id"]);
  const changes = new DraftChanges(state, residency, draft.changesSince);
  // The rows of SSOT 5.6 step 6 and 5.7 for what this step brought.
  for (const id of toolcallIds) changes.apply({ event: "tool call", id });
  for (const id of toolcalls.flatMap(({ shows = [] }) => shows)) changes.apply({ event: "recall", id });
  for (const { file: id, succeeds: from } of observedIn(state, [...indexed.values()])) {
    if (from !== undefined) changes.add(succession(changes.members, { id, from }));
  }
  for (const touch of [...draft.lateTouches, ...draft.results.flatMap(({ files }) => files)]) {
    const file = touchedFile(indexed, touch);
    if (file?.document !== undefined) changes.applyTouch(file.id, touch);
  }
  const { request } = draft;
  const soFar = { request, changes: changes.sum(), members: changes.members, toolcalls, poolEntriesMax };
  for (const id of overBudget(state, soFar)) changes.apply({ event: "demote", id });
  const made = new Set(toolcallIds);
  checkInvariants(changes.members, changes.sum(), (id) => state.objects.has(id) || made.has(id) || indexed.has(id));
  return changes.sum();
}

function answerMessage(answer: CleanAnswer, toolcalls: readonly ToolcallDraft[]): StepMessage {
  const objects = new Map(toolcalls.map((toolcall) => [toolcall.call, idOfDraft(toolcall)]));
  const calls = answer.calls.map((call) => {
    const object = objects.get(call);
    const { callId, tool, args } = call;
    return { call_id: callId, tool, ...(object === undefined ? { args } : { object }) };
  });
  return {
    role: "assistant",
    text: answer.text,
    ...(answer.thinking.length > 0 ? { thinking: [...answer.thinking] } : {}),
    ...(calls.length > 0 ? { calls } : {}),
    ...defined({ model: answer.model, provider: answer.provider, api: answer.api, stop_reason: answer.stopReason }),
  };
}

function toolMessage(toolcall: ToolcallDraft): StepMessage {
  return { role: "tool", call_id: toolcall.result.callId, object: idOfDraft(toolcall) };
}

function createdBy(toolcall: ToolcallDraft, documents: ReadonlyMap<string, DocumentOf<"toolcall">>): readonly Write[] {
  const document = documents.get(idOfDraft(toolcall));
  return document === undefined || toolcall.stored ? [] : [{ document, expect: "absent" }];
}

interface StepSoFar {
  readonly request: Pick<AssembledRequest, "changesBefore" | "decision">;
  /** What the step changes since its request, and the sets as that leaves them. */
  readonly changes: SetChanges;
  readonly members: Membership;
  readonly toolcalls: readonly DocumentOf<"toolcall">[];
  readonly poolEntriesMax: number;
}

/** Pool entries for which the budget has no room after a step. The state's sets are as they were at the request. */
function overBudget(
  state: LogState,
  { request, changes, members, toolcalls, poolEntriesMax }: StepSoFar,
): readonly string[] {
  const { sets, idle } = state;
  const poolSize = memberCount(sets, "pool", changes);
  if (poolSize <= poolEntriesMax) return [];
  const results = toolcalls.map(({ "xt/id": object, file_refs: files = [] }) => ({ object, files }));
  const touched = touchedBy({
    changesBefore: request.changesBefore,
    recall: request.decision.recall?.map(({ object }) => object),
    changes,
    results: [...newResults(state), ...results],
  });
  return entriesToDemote({ members, poolSize, idle, touched, poolEntriesMax });
}

import {
  chainHashOf,
  type DocumentOf,
  isSha256,
  nextChain,
  type SetChanges,
  type StepAddress,
  type StepMessage,
  sessionOfReference,
} from "@cm/object-model";
import { withRequest } from "../cost/billing.ts";
import { withCounted } from "../cost/counted-requests.ts";
import { billed } from "../cost/ledger.ts";
import { limits } from "../limits.ts";
import { erasedMark, erasedObject, type ObjectName, toolcallObject } from "../objects/view-objects.ts";
import type { Prices } from "../prices.ts";
import { applyChanges } from "../sets/session-sets.ts";
import { straysOf } from "../sets/strays.ts";
import { touchedIn, useEntries } from "../sets/touched.ts";
import { entryOf } from "../state/entries.ts";
import { foldOf } from "../state/folds.ts";
import { knownDecision } from "../state/known-decision.ts";
import type { MutableState } from "../state/log-state.ts";
import { newResults } from "../state/new-results.ts";
import { requestFacts } from "../state/request-facts.ts";
import { type ShownMessages, shownMessages, splitAtAnswer, whole } from "../state/shown-messages.ts";
import type { StepObjects } from "../state/step-objects.ts";
import { turnAfter, turnBefore } from "../state/turns.ts";
import type { PromptDecision, ViewObject } from "../view.ts";
import { amend } from "./amend.ts";
import { followDecision } from "./follow-decision.ts";
import { push } from "./grow-log.ts";
import { takeLateResult } from "./late-results.ts";
import type { AppliedChanges } from "./log-event.ts";
import { admitObserved, admitResumed, missing, type Observed, observe } from "./observe-files.ts";
import { bring, leaveInStore } from "./omission.ts";
import { showSeenParts } from "./show-seen-parts.ts";

/** Takes in what came before a request: its messages, and the changes of the sets since the step before. */
export function admit(
  state: MutableState,
  messages: readonly StepMessage[],
  changes: SetChanges,
  objects: StepObjects,
  observed: Observed = [],
): Pick<AppliedChanges, "sets" | "answered"> {
  const admitted = admitShown(state, messages.map(whole), changes, objects, observed);
  // Of a session that was paused, or whose state was loaded anew, since it was asked for.
  bringFromStore(state, changes.requested?.added ?? [], objects);
  return admitted;
}

function admitShown(
  state: MutableState,
  messages: ShownMessages,
  changes: SetChanges,
  objects: StepObjects,
  observed: Observed,
): Pick<AppliedChanges, "sets" | "answered"> {
  const sets = changeSets(state, changes, objects, observed);
  return { sets, answered: appendAll(state, messages, state.depth, objects) };
}

/** As `admit`, for a step that was read back. */
export function admitRecorded(
  state: MutableState,
  document: DocumentOf<"step">,
  objects: StepObjects,
): Pick<AppliedChanges, "sets" | "answered" | "amended"> {
  const { before } = splitAtAnswer(shownMessages(document));
  if (state.gapAt !== undefined) state.turn = turnBefore(document);
  if (document.resumed !== undefined) admitResumed(state, document.resumed, objects);
  const { changes_before = {}, observed_before = [] } = document;
  const admitted = admitShown(state, before, changes_before, objects, observed_before);
  admitObserved(state, observed_before, objects);
  const { gapAt = Number.POSITIVE_INFINITY } = state;
  const amended = amend(
    state,
    (document.amended ?? []).filter(({ at }) => at < gapAt),
  );
  const { recall = [] } = document.decision as Pick<PromptDecision, "recall">;
  bringFromStore(state, [...askedFor(document), ...recall.map(({ object }) => object)], objects);
  return { ...admitted, amended };
}

/** A text that is asked for, or that a decision brings back, may be of a call whose messages left the prompt. */
function bringFromStore(state: MutableState, ids: readonly string[], objects: Pick<StepObjects, "toolcall">): void {
  for (const id of ids) {
    const object = state.objects.get(id);
    const document = object?.inStore === true ? objects.toolcall(id) : undefined;
    if (document !== undefined && object !== undefined) bring(state, toolcallObject(document, object.alias));
  }
}

/** What the agent asked for before a step's request: its text is at hand from then on. */
export const askedFor = ({ changes_before: { requested } = {} }: DocumentOf<"step">): readonly string[] =>
  requested?.added ?? [];

/** Takes in a written step: what its decision did to the prompt, its answer and results, and its other changes. */
export function finish(
  state: MutableState,
  document: DocumentOf<"step">,
  objects: StepObjects,
  prices: Prices,
): Pick<AppliedChanges, "sets" | "answered" | "forms" | "omitted"> {
  state.billing = withRequest(state, document, prices);
  state.ledger = billed(state, document, prices);
  state.counted = withCounted(state.counted, document, state.ledger.headChars);
  remember(state, document);
  const decision = knownDecision(state, document);
  const fold = foldOf(decision, document, state.depth);
  if (fold !== undefined) state.folds.push(fold);
  followDecision(state, decision);
  // As a reader takes it from the step: behind an erased one, none says that no turn has begun.
  if (state.gapAt !== undefined) state.turn = Math.max(0, state.turn);
  const answered = appendAll(state, splitAtAnswer(shownMessages(document)).after, state.depth + 1, objects);
  admitObserved(state, document.observed ?? [], objects);
  const sets = changeSets(state, document.changes, objects);
  if ((decision.omit ?? []).length > 0) leaveInStore(state);
  else if (state.brought.size > 0) leaveInStore(state, state.brought);
  state.brought.clear();
  useEntries(state.idle, touchedIn(document, decision, newResults(state)), state.sets);
  showSeenParts(state);
  state.checkouts = document.checkouts ?? state.checkouts;
  state.requestedAtMs = document.requested_at ?? document.recorded_at;
  state.model = document.messages.findLast((message) => message.role === "assistant")?.model;
  moveHead(state, { session: sessionOfReference(document.session_ref), n: document.n }, chainHashOf(document), false);
  return { sets, answered, forms: Object.keys(decision.forms ?? {}), omitted: decision.omit ?? [] };
}

/** Until the next keyframe names it. What was erased of a step is not told as if it were known. */
function remember(state: MutableState, document: DocumentOf<"step">): void {
  if (document.replaces !== undefined || state.requests.length >= limits.rememberedRequestsMax) state.requests = [];
  if (document.replaces !== undefined) return;
  state.requests.push({ facts: requestFacts(document), plainChars: state.plainChars });
}

/**
 * Goes over a step that was erased: a mark stands in the log where its messages were, and the chain goes on with the
 * hash that stayed. What it did to the sets is lost with it.
 */
export function skipErased(state: MutableState, address: StepAddress, contentHash: string): void {
  state.complete = false;
  state.requests = [];
  state.gapAt ??= state.log.length;
  state.requestedAtMs = undefined;
  state.model = undefined;
  const place = { at: state.log.length, step: state.depth, turn: Math.max(0, state.turn) };
  push(state, { kind: "user", ...place, text: erasedMark, attachments: [] });
  state.answered = true;
  moveHead(state, address, contentHash, true);
}

function moveHead(state: MutableState, address: StepAddress, contentHash: string, isErased: boolean): void {
  const { turn, answered } = state;
  state.path.push({ address, contentHash, end: state.log.length, turn, answered, isErased });
  state.head = address;
  state.sessions.add(address.session);
  state.chain = nextChain(state.chain, contentHash);
  state.depth += 1;
  state.newFrom = state.log.length;
}

/** @returns the arguments of calls of earlier steps whose results are among the messages */
function appendAll(
  state: MutableState,
  messages: ShownMessages,
  step: number,
  objects: StepObjects,
): readonly string[] {
  return messages.flatMap((message) => append(state, message, step, objects) ?? []);
}

function append(
  state: MutableState,
  { message, isErased }: ShownMessages[number],
  step: number,
  objects: StepObjects,
): string | undefined {
  const { turn, answered } = turnAfter(state, message);
  state.turn = turn;
  state.answered = answered;
  const place = { at: state.log.length, step, turn: Math.max(0, turn) };
  const entry = entryOf(message, place, objects.toolcall, state.openCalls);
  if (isErased) {
    state.complete = false;
    state.erasedAt.add(entry.at);
  }
  push(state, entry);
  if (entry.kind === "assistant") state.openCalls.asked(entry);
  if (entry.kind !== "result") return undefined;
  state.toolcallCount += 1;
  return takeLateResult(state, state.openCalls.answered(entry), entry);
}

/** Files have come with what the step observed, or come now; a new id that is none of those is a tool call. */
function changeSets(
  state: MutableState,
  changes: SetChanges,
  objects: StepObjects,
  observed: Observed = [],
): readonly SetChanges[] {
  const adopted = new Map(observed.map((seen) => [seen.file, seen]));
  for (const id of changes.index?.added ?? []) {
    if (state.objects.has(id)) continue;
    const seen = adopted.get(id);
    if (seen === undefined) meet(state, id, objects);
    else observe(state, seen, objects);
  }
  applyChanges(state.sets, changes);
  if (state.gapAt === undefined) return [changes];
  const strays = straysOf(state.sets, changes);
  applyChanges(state.sets, strays);
  return [changes, strays];
}

function meet(state: MutableState, id: string, objects: StepObjects): void {
  const document = objects.toolcall(id);
  // After an erased step even a file can be new here: its id is a hash, and no tool call has such a one.
  const kind = isSha256(id) ? "file" : "toolcall";
  const alias = state.aliases.give(id, kind);
  state.objects.set(
    id,
    document === undefined ? gone(state, { id, alias, kind }, objects) : toolcallObject(document, alias),
  );
}

function gone(state: MutableState, object: ObjectName, { isMissing }: StepObjects): ViewObject {
  if (isMissing?.(object.id) === true) return missing(state, object);
  state.complete = false;
  return erasedObject(object);
}

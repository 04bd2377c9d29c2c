/** `@cm/context-log/state`: what a session knows of its log, for who keeps one. */

export { ledgerAt } from "./cost/billing.ts";
export { billed } from "./cost/ledger.ts";
export type { LogErrorCode } from "./errors.ts";
export { flatOmitted, omittedEntry } from "./keyframe/flat-omitted.ts";
export {
  byName,
  type FlatObject,
  type FlatRecalled,
  type FlatResumed,
  type FlatState,
  type FlatStep,
  type Key,
  type ListedState,
  mark,
  rowNames,
  setTables,
  stepFlags,
  type Table,
  type TableName,
  tableNames,
} from "./keyframe/flat-state.ts";
export {
  baseAfterErasure,
  chainOf,
  flatOf,
  type KeyframeBase,
  type KeyframeState,
  type KeyframeVersion,
  keyframeBase,
  keyframeState,
  keyframeVersions,
} from "./keyframe/keyframe-chain.ts";
export { limits } from "./limits.ts";
export { looksLikeAlias } from "./objects/aliases.ts";
export {
  erasedMark,
  erasedObject,
  fileObject,
  missingMark,
  toolcallObject,
  withSeenPart,
} from "./objects/view-objects.ts";
export { whyNotShown } from "./objects/why-not-shown.ts";
export type { PathRow } from "./path/origins.ts";
export type { StepPath } from "./path/step-path.ts";
export { askedFor } from "./reducer/advance.ts";
export { amend, amendedBy } from "./reducer/amend.ts";
export { ContextLog } from "./reducer/context-log.ts";
export { takeLateResults } from "./reducer/late-results.ts";
export type { AppliedChanges, LogEvent } from "./reducer/log-event.ts";
export { inStore } from "./reducer/omission.ts";
export type { AssembledRequest } from "./request/assembled-request.ts";
export { cacheOf } from "./request/cold-cache.ts";
export { madeRequest, rendered, weighedRequest } from "./request/made-request.ts";
export { asRecorded } from "./request/marked-prompt.ts";
export { PromptHasher } from "./request/prompt-hash.ts";
export { boundsOf, isWithin } from "./request/request-bounds.ts";
export { windowOf } from "./request/window.ts";
export { checkInvariants } from "./sets/invariants.ts";
export { entriesToDemote, poolBudget } from "./sets/pool-budget.ts";
export {
  applyChanges,
  ChangeLog,
  emptySets,
  inverseOf,
  type Membership,
  memberCount,
  memberList,
  type SessionSets,
} from "./sets/session-sets.ts";
export { succession } from "./sets/succession.ts";
export { touchedBy } from "./sets/touched.ts";
export { type SetEvent, type Transition, transition, unknownObject } from "./sets/transitions.ts";
export { DraftChanges } from "./state/draft-changes.ts";
export { entryOf, resumedPlaces } from "./state/entries.ts";
export { flatState } from "./state/flatten-state.ts";
export { type Fold, foldOf, foldsInView } from "./state/folds.ts";
export { knownDecision } from "./state/known-decision.ts";
export { emptyState, type FileInSight, type LogState, type MutableState, viewOf } from "./state/log-state.ts";
export { movedPaths, pathsNow, type ShownFile } from "./state/moved-paths.ts";
export { newResults } from "./state/new-results.ts";
export { plainEntry } from "./state/omitted-rows.ts";
export { type OpenCall, OpenCalls } from "./state/open-calls.ts";
export {
  type FactsRow,
  factsOfRow,
  type RequestFacts,
  type RequestFold,
  requestFacts,
} from "./state/request-facts.ts";
export { type KeyframeRequests, keyframeRequests, type RequestRow } from "./state/request-rows.ts";
export { type ShownMessages, shownMessages, splitAtAnswer } from "./state/shown-messages.ts";
export { stateAs } from "./state/state-as.ts";
export type { StepObjects } from "./state/step-objects.ts";
export { textEdits, withEdits } from "./state/text-edits.ts";
export { type TurnPlace, turnAfter, turnBefore } from "./state/turns.ts";
export { type FlatTold, toldAgain, toldEntries } from "./told-notes.ts";
export { type ChatTurn, type ChatView, chatView } from "./views/chat-view.ts";
export { frozenCopy } from "./views/frozen-copy.ts";
export { type CheckedQuery, checkedQuery } from "./views/list-query.ts";
export { namedObject } from "./views/named-object.ts";
export { leveledObject, leveledObjects, objectPage } from "./views/object-list.ts";
export { type SeenPart, seenParts } from "./views/seen-parts.ts";
export { type SessionView, sessionView } from "./views/session-view.ts";

/** `@cm/step-log/load`: for writers of steps, who go on from what is stored. */
export { checkSession, checkStep, isStepNumber } from "./check-input.ts";
export { foundIds, searchesText } from "./found-ids.ts";
export { type PlannedKeyframe, plannedKeyframe } from "./keyframe/keyframe-documents.ts";
export { keyframesOf } from "./keyframe/keyframes-of.ts";
export { stateAt } from "./past/state-at.ts";
export { findOmittedTurns, readTurn } from "./past/turns.ts";
export { readInParts } from "./path/read-in-parts.ts";
export {
  asWritten,
  headsIn,
  type PathStep,
  readHeads,
  readPath,
  readPathBack,
  type SessionHeads,
} from "./path/read-path.ts";
export { readWanted, type Wanted } from "./path/read-wanted.ts";
export { replaySteps } from "./path/replay.ts";
export { momentsOf, type ShownVersion, shownVersions } from "./path/step-objects.ts";
export { isPromptLost, SystemPrompts, type SystemPromptText } from "./path/system-prompts.ts";
export { loadPath, loadRecent, logAfter, type RecordedRequest } from "./state/load-state.ts";
export { restoreState } from "./state/restore-state.ts";

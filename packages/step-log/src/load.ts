/** `@cm/step-log/load`: for writers of steps, who go on from what is stored. */
export { foundIds, searchesText } from "./found-ids.ts";
export { type HistoryReader, historiesOf } from "./history/histories-of.ts";
export { type PlannedKeyframe, plannedKeyframe } from "./history/keyframe-documents.ts";
export { keyframesOf } from "./history/keyframes-of.ts";
export { loadPath, loadRecent, logAfter, type RecordedRequest } from "./history/load-state.ts";
export { readInParts } from "./history/read-in-parts.ts";
export { headsIn, readHeads, readPath, type SessionHeads } from "./history/read-path.ts";
export { readWanted, type Wanted } from "./history/read-wanted.ts";
export { replaySteps } from "./history/replay.ts";
export { restoreState } from "./history/restore-state.ts";
export { stateAt } from "./history/state-at.ts";
export { momentsOf, type ShownVersion, shownVersions } from "./history/step-objects.ts";
export { SystemPrompts, type SystemPromptText } from "./history/system-prompts.ts";
export { findOmittedTurns, readTurn } from "./history/turns.ts";

export type { Conversation, ConversationFilter, ConversationPage, ConversationPatch } from "./conversations.ts";
export { type DisplayEvent, foldDisplay, usageSnapshot } from "./display/fold-display.ts";
export { isLineageId } from "./documents/ids.ts";
export {
  type Environment,
  lineageTypes,
  type PendingCall,
  type RunStatus,
  type RunSummary,
  type StepState,
  type UsageSummary,
  withLineageTypes,
} from "./documents/types.ts";
export { fault, httpStatusOf, type LineageErrorCode } from "./errors.ts";
export { lineageLimits } from "./limits.ts";
export { type Lineage, type LineageOptions, openLineage } from "./lineage.ts";
export { type LineageReader, type LineageReaderOptions, readLineage } from "./lineage-reader.ts";
export type { FireRequest, Post } from "./mailbox.ts";
export type { RunHolder } from "./ownership/ownership.ts";
export type { LiveRun, RunRegistry, SteeringMessage } from "./ownership/registry.ts";
export { type Answers, type ResolvedCall, resolveAnswers } from "./rules/answers.ts";
export type { EnvironmentRequest } from "./rules/environment.ts";
export { type Metadata, mergeMetadata } from "./rules/merge-metadata.ts";
export { type InputPart, type RunInput, textsOf, titleOf } from "./rules/run-input.ts";
export { canMove } from "./rules/status.ts";
export { noUsage, sumOfUsage } from "./rules/usage.ts";
export { type CommittedRun, wasInterrupted } from "./runs/end.ts";
export type { RunFilter, RunPage } from "./runs/list-runs.ts";
export type { ContinueRequest, ForkRequest, RootRequest, RunRequest, SubagentRequest } from "./runs/requests.ts";
export type { Run } from "./runs/run.ts";
export type { EndOfOrphan, RunEnd } from "./runs/run-end.ts";
export type { Turn, TurnsPage, TurnsRequest } from "./runs/turns.ts";
export type { RunState, StateStore } from "./state/contract.ts";
export { createFileStateStore, type FileStateStoreOptions } from "./state/file-state-store.ts";
export { createMemoryStateStore } from "./state/memory-state-store.ts";

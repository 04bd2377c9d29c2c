export {
  type ApprovalAnswer,
  type ApprovalClock,
  ApprovalGate,
  type ApprovalGateOptions,
  type ApprovalRecord,
  type ApprovalRequest,
  type AskedFor,
  type PendingApproval,
} from "./approval/approval-gate.ts";
export { affords, booked, type TokenBudget, type TokenUse, tokenBudget, tokensLeft } from "./budget.ts";
export { type Admission, type AdmissionMoment, admitBundle, type BundleRefusal, hasExpired } from "./bundle/admit.ts";
export {
  type ApprovalRule,
  approvalRule,
  type CapabilityGrant,
  capabilityGrant,
  type LlmPolicy,
  llmPolicy,
  type PolicyBundle,
  parseBundle,
  policyBundle,
  schemaVersions,
} from "./bundle/policy-bundle.ts";
export { type Action, type KnownCapability, type RiskLevel, riskOf } from "./check/action.ts";
export { type ApprovalMode, check, type TaskPolicy } from "./check/check.ts";
export { type CompiledBundle, type CompileOptions, compileBundle } from "./check/compile.ts";
export type { ResolvePath } from "./check/path-rules.ts";
export { type DenialReason, type Denied, denialReasons, type Verdict } from "./check/verdict.ts";
export type { GovernanceErrorCode } from "./errors.ts";
export {
  type EventFacts,
  type GovernedEvent,
  governedEvent,
  isEventType,
  parseEvent,
  type Severity,
  severities,
} from "./events/event.ts";
export {
  type BoundedContext,
  boundedContexts,
  type Component,
  components,
  type EventPayload,
  type EventType,
  eventKinds,
  eventTypes,
} from "./events/event-kinds.ts";
export { auditView, type KnownNames, type TelemetryEvent, telemetryView } from "./events/views.ts";
export { type FeatureFlags, featureFlags, parseFlags } from "./feature-flags.ts";
export {
  type IdChain,
  parseChain,
  type SessionChain,
  type SessionIds,
  type StepChain,
  type StepIds,
  sessionChain,
  stepChain,
} from "./id-chain.ts";
export { limits } from "./limits.ts";
export { programsOf } from "./shell/programs.ts";
export {
  acceptsTask,
  hasSessionEnded,
  moveSession,
  type SessionState,
  sessionMoves,
  sessionStates,
} from "./states/session-state.ts";
export {
  checkMaxSteps,
  maxStepsExceeded,
  moveStep,
  moveTask,
  type StepState,
  stepAllowance,
  stepMoves,
  stepWarningAt,
  type TaskEnding,
  type TaskState,
  taskMoves,
  taskStates,
} from "./states/task-state.ts";

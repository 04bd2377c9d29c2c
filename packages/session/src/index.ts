export {
  type ChatTurn,
  type ChatView,
  type Fold,
  PromptHasher,
  type SeenPart,
  type SessionView,
  type SetEvent,
  type Transition,
  transition,
} from "@cm/context-log/state";
export {
  listSessions,
  objectAt,
  type PastSession,
  type RendererFor,
  rebuildPrompt,
  rebuildPrompts,
  type SessionSummary,
  type SessionThatMet,
  sessionAt,
  sessionsThatMet,
} from "@cm/step-log";
export type { SessionErrorCode } from "./errors.ts";
export type { CheckoutChange } from "./files/checkouts.ts";
export type { FileTracking } from "./files/file-watch.ts";
export type { DiscoverPrefix } from "./files/foreign-files.ts";
export { type IndexCounts, type IndexFilesOptions, indexFiles } from "./files/index-files.ts";
export { type IndexOutcome, type NextVersion, nextVersion } from "./files/next-version.ts";
export type { Redactor } from "./input/clean.ts";
export { type EraseOptions, eraseObjects, parseStepId } from "./lifecycle/erase/erase-objects.ts";
export { type Holder, holdersOf } from "./lifecycle/erase/holders-of.ts";
export { type Fork, forkSession } from "./lifecycle/fork.ts";
export type { ReportedFile, ResumeReport } from "./lifecycle/resuming.ts";
export { type Returned, type ReturnOptions, type ReturnTarget, returnToStep } from "./lifecycle/return-to-step.ts";
export { limits } from "./limits.ts";
export { type OpenSessionOptions, openSession } from "./open-session.ts";
export type { OpenedSession, Session } from "./session.ts";

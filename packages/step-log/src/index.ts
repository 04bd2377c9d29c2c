/** `@cm/step-log`: the past of sessions as something to read, from the store alone. */
export type { StepLogErrorCode } from "./errors.ts";
export { listSessions, type SessionSummary } from "./history/list-sessions.ts";
export type { LifePart, LifeStanding } from "./history/object-life.ts";
export {
  type LifeLevel,
  type LifeRun,
  type LifeText,
  type ObjectLife,
  objectLife,
  type RequestPlace,
} from "./history/object-life.ts";
export { type OpenPastOptions, openPast, type Past, type PastExtension } from "./history/open-past.ts";
export { type RendererFor, rebuildPrompt, rebuildPrompts } from "./history/rebuild.ts";
export type { ErasedRequest, PastRequest, RequestFold, RequestSummary } from "./history/request-summary.ts";
export { type RequestsOptions, requestsOf } from "./history/requests-of.ts";
export { type SessionThatMet, sessionsThatMet } from "./history/sessions-that-met.ts";
export { objectAt, type PastSession, sessionAt } from "./history/state-at.ts";
export { limits } from "./limits.ts";

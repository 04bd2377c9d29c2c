/** `@cm/step-log`: the past of sessions as something to read, from the store alone. */
export type { StepLogErrorCode } from "./errors.ts";
export { limits } from "./limits.ts";
export { listSessions, type SessionSummary } from "./past/list-sessions.ts";
export type { LifePart, LifeStanding } from "./past/object-life.ts";
export {
  type LifeLevel,
  type LifeRun,
  type LifeText,
  type ObjectLife,
  objectLife,
  type RequestPlace,
} from "./past/object-life.ts";
export { type OpenPastOptions, openPast, type Past, type PastExtension } from "./past/open-past.ts";
export { type RendererFor, rebuildPrompt, rebuildPrompts } from "./past/rebuild.ts";
export type { ErasedRequest, PastRequest, RequestFold, RequestSummary } from "./past/request-summary.ts";
export { type RequestsOptions, requestsOf } from "./past/requests-of.ts";
export { type SessionThatMet, sessionsThatMet } from "./past/sessions-that-met.ts";
export { objectAt, type PastSession, sessionAt } from "./past/state-at.ts";

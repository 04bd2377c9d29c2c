/** `@cm/session/past`: the past of a session as something to read. An agent's own session loads nothing of it. */
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
export type { ErasedRequest, PastRequest, RequestFold, RequestSummary } from "./history/request-summary.ts";
export { type RequestsOptions, requestsOf } from "./history/requests-of.ts";

import type { LogErrorCode } from "@cm/context-log/state";
import { CmError, type ErrorData } from "@cm/object-model";

/** What sessions throw beside the codes of stores and documents: their own, and those of their log. */
export type SessionErrorCode =
  | LogErrorCode
  | "session/not-found"
  | "session/exists"
  | "session/no-request" // record without assemble
  | "session/unknown-object" // what was to be erased is known neither here nor in the store; nothing was erased
  | "session/unknown-layout"
  | "session/damaged" // steps or heads are missing or do not fit together
  | "session/busy" // other writers kept winning; nothing was written
  | "session/closed";

export function sessionError(code: SessionErrorCode, message: string, data?: ErrorData): CmError<SessionErrorCode> {
  return new CmError(code, message, data);
}

import { CmError, type ErrorData } from "@cm/object-model";
import type { StepLogErrorCode } from "@cm/step-log";

/** What sessions throw beside the codes of stores and documents: their own, and those of their steps. */
export type SessionErrorCode =
  | StepLogErrorCode
  | "session/exists"
  | "session/no-request" // record without assemble
  | "session/unknown-object" // what was to be erased is known neither here nor in the store; nothing was erased
  | "session/busy" // other writers kept winning; nothing was written
  | "session/closed";

export function sessionError(code: SessionErrorCode, message: string, data?: ErrorData): CmError<SessionErrorCode> {
  return new CmError(code, message, data);
}

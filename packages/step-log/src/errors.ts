import type { LogErrorCode } from "@cm/context-log/state";
import { CmError, type ErrorData } from "@cm/object-model";

/** What reading a session's steps throws, beside the codes of stores and of the log. The codes begin as those of its session, which users see. */
export type StepLogErrorCode =
  | LogErrorCode
  | "session/not-found"
  | "session/unknown-layout"
  | "session/damaged" // steps or heads are missing or do not fit together
  | "session/closed";

export function stepLogError(code: StepLogErrorCode, message: string, data?: ErrorData): CmError<StepLogErrorCode> {
  return new CmError(code, message, data);
}

import { CmError, type ErrorData } from "@cm/object-model";

/** What a log throws. The codes begin as those of its session, which users see. */
export type LogErrorCode =
  | "session/invalid-input"
  | "session/invalid-decision" // a policy named what is not in its view
  | "session/window-exceeded" // what may not be left out is more than the window holds; nothing was written
  | "session/invariant"; // a promise about the sets would break; nothing was written

export function logError(code: LogErrorCode, message: string, data?: ErrorData): CmError<LogErrorCode> {
  return new CmError(code, message, data);
}

import { CmError, type ErrorData } from "@cm/object-model";

/** What sessions throw beside the codes of stores and documents. */
export type SessionErrorCode =
  | "session/not-found"
  | "session/exists"
  | "session/no-request" // record without assemble
  | "session/invalid-input"
  | "session/unknown-object" // what was to be erased is known neither here nor in the store; nothing was erased
  | "session/invalid-decision" // a policy named what is not in its view
  | "session/window-exceeded" // what may not be left out is more than the window holds; nothing was written
  | "session/invariant" // a promise about the sets would break; nothing was written
  | "session/unknown-layout"
  | "session/damaged" // steps or heads are missing or do not fit together
  | "session/busy" // other writers kept winning; nothing was written
  | "session/closed";

export function sessionError(code: SessionErrorCode, message: string, data?: ErrorData): CmError<SessionErrorCode> {
  return new CmError(code, message, data);
}

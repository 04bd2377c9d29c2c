import { CmError, type ErrorData } from "@cm/object-model";
import type { WireErrorCode } from "@cm/scripted-models";

/** Why live runs cannot begin or go on. Codes of the first kind are the user's to mend: exit status 2. */
export type LiveErrorCode =
  | "live/usage" // options, environment, task or tool files that cannot be used
  | "live/no-isolation" // commands of a model would reach the network without permission
  | "live/unreachable" // no connection to the endpoint; data: reason
  | "live/timeout" // the endpoint gave no whole answer in time; data: requestMs
  | "live/refused" // the endpoint took the request for wrong; data: status, and its word for it
  | "live/failed" // it failed or was busy, and repeating did not help; data: status, retries
  | "live/bad-answer" // its answer is no JSON or too long
  | WireErrorCode // its answer is not of the protocol, or a prompt cannot be put into it
  | "live/interrupted";

export function liveError(
  code: LiveErrorCode,
  message: string,
  data: ErrorData = {},
  cause?: unknown,
): CmError<LiveErrorCode> {
  return new CmError(code, message, data, cause === undefined ? undefined : { cause });
}

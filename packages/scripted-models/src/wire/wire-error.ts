import { CmError, type ErrorData } from "@cm/object-model";

export type WireErrorCode =
  | "live/bad-answer" // an answer that is not of the protocol
  | "live/broken-pairs"; // a prompt in which a call has no result beside it; data: callId

export function wireError(code: WireErrorCode, message: string, data: ErrorData = {}): CmError<WireErrorCode> {
  return new CmError(code, message, data);
}

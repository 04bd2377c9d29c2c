import type { LogErrorCode } from "@cm/context-log/state";
import { CmError, type ErrorData, type StepAddress } from "@cm/object-model";

/** What reading a session's steps throws, beside the codes of stores and of the log. The codes begin as those of its session, which users see. */
export type StepLogErrorCode =
  | LogErrorCode
  | "session/not-found"
  | "session/unknown-layout"
  | "session/damaged" // steps or heads are missing or do not fit together
  | "session/closed";

/** A step that was named and is not there. */
export const noStep = ({ session, n }: StepAddress): CmError<StepLogErrorCode> =>
  stepLogError(
    "session/not-found",
    `Session ${session} has no step ${n}; the list of its requests names those it has.`,
    {
      session,
      n,
    },
  );

export function stepLogError(code: StepLogErrorCode, message: string, data?: ErrorData): CmError<StepLogErrorCode> {
  return new CmError(code, message, data);
}

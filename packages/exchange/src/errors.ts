import { CmError, type ErrorData } from "@cm/object-model";

export type ExchangeErrorCode =
  | "exchange/changed" // the file no longer begins as it did when it was imported
  | "exchange/went-on" // the session got steps of its own since, and the file is longer, too
  | "exchange/taken" // the store has a session of this id that came from no file
  | "exchange/in-use" // another program wrote what the import was about to write
  | "exchange/damaged"; // what the store has of a file cannot be read

export function exchangeError(
  code: ExchangeErrorCode,
  message: string,
  data: ErrorData = {},
): CmError<ExchangeErrorCode> {
  return new CmError(code, message, data);
}

export const sessionDamaged = (session: string): CmError<ExchangeErrorCode> =>
  exchangeError("exchange/damaged", `Session ${session} cannot be read from the store; run a verification of it.`, {
    session,
  });

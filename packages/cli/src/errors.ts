import { CmError, type ErrorData, isCmError } from "@cm/object-model";

/** The error codes of the command line, in addition to those of stores, sessions and bundles. */
export type CliErrorCode =
  | "cli/usage"
  | "cli/not-found"
  | "cli/ambiguous" // several things match; the message lists them
  | "cli/declined" // a question was answered with no
  | "cli/refused"
  | "cli/no-store"
  | "cli/no-server" // no server answers there
  | "cli/fault" // what is no error of ours, where others go on beside it
  | "cli/no-requests" // a session file without an answer of a model
  | "cli/file"; // a file of the user's cannot be read or written

export function cliError(code: CliErrorCode, message: string, data: ErrorData = {}): CmError<CliErrorCode> {
  return new CmError(code, message, data);
}

/** Exit codes, as the README documents them. */
export const exitCodes = {
  ok: 0,
  found: 1,
  usage: 2,
  notFound: 3,
  refused: 4,
  unavailable: 5,
  damaged: 6,
  unfinished: 7,
  fault: 70,
  interrupted: 130,
} as const;

const byCode: Readonly<Record<string, number>> = {
  "cli/usage": exitCodes.usage,
  "cli/ambiguous": exitCodes.usage,
  "model/invalid-id": exitCodes.usage,
  "cli/not-found": exitCodes.notFound,
  "session/not-found": exitCodes.notFound,
  "workspace/not-found": exitCodes.notFound,
  "bundle/not-found": exitCodes.notFound,
  "recording/not-found": exitCodes.notFound,
  "cli/declined": exitCodes.refused,
  "cli/refused": exitCodes.refused,
  "cli/file": exitCodes.unavailable,
  "recording/unreadable": exitCodes.unavailable,
  "cli/no-store": exitCodes.unavailable,
  "cli/no-server": exitCodes.unavailable,
  "cli/fault": exitCodes.fault,
  "store/unavailable": exitCodes.unavailable,
  "store/unknown-outcome": exitCodes.unavailable,
  "store/closed": exitCodes.unavailable,
  "store/corrupt": exitCodes.damaged,
  "session/damaged": exitCodes.damaged,
  "bundle/damaged-session": exitCodes.damaged,
  "exchange/damaged": exitCodes.damaged,
};

/** Whatever else a store, a session or a bundle refuses is a refusal; what is no error of ours is a fault. */
export function exitCodeOf(error: unknown): number {
  if (!isCmError(error)) return exitCodes.fault;
  return byCode[error.code] ?? exitCodes.refused;
}

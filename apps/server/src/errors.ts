import { CmError, type ErrorData } from "@cm/object-model";

/** What the server throws beside the codes of stores, sessions and lineage. */
export type ServerErrorCode =
  | "server/usage" // an option or an environment variable is wrong
  | "server/presets" // the file of presets cannot be read, or is not what its schema says
  | "server/unknown-preset"
  | "server/unknown-model"
  | "server/unknown-folder" // an environment names a folder that is not there, or that the server may not open
  | "server/invalid-request"
  | "server/not-running" // a steering or an interrupt for a run that is over
  | "server/not-ready" // a run that has not asked its model yet
  | "server/busy" // as many runs as the server takes
  | "server/unreachable" // the server that executes a run does not answer
  | "server/gone" // events that are no longer held
  | "server/run-failed"
  | "server/policy" // the file of a policy cannot be read, or a session gets no bundle
  | "server/session-paused" // its policy ran out; a resume brings another
  | "server/session-busy" // a task runs in it
  | "server/session-ended"
  | "server/not-found"
  | "server/store";

export function serverError(
  code: ServerErrorCode,
  message: string,
  data?: ErrorData,
  options?: ErrorOptions,
): CmError<ServerErrorCode> {
  return new CmError(code, message, data, options);
}

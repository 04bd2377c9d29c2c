import { CmError, type ErrorData, isCmError } from "@cm/object-model";
import { lineageLimits } from "./limits.ts";

/** What this package throws, beside the store's own codes. */
export type LineageErrorCode =
  | "lineage/not-found" // no such run, conversation, snapshot; data: kind, id
  | "lineage/busy" // an agent run is running in the conversation; data: running, transport
  | "lineage/bad-move" // the run's status does not go there; data: id, from, to
  | "lineage/not-ours" // another process has taken the run or the owner's name; data: id
  | "lineage/not-ready" // the run takes no steering yet; data: id
  | "lineage/taken" // the id is in use; data: id
  | "lineage/gone" // a stream's buffer is gone: read the snapshot; data: id
  | "lineage/invalid" // the request says what cannot be; data: field
  | "lineage/empty-mailbox" // nothing waits there; data: id
  | "lineage/limit" // a documented bound was passed; data: limit, actual, bound
  | "lineage/shutting-down" // no new runs are taken
  | "lineage/contention" // other writers were faster again and again
  | "lineage/run-missing" // the newest run of a conversation is not there: it was lost or erased; data: id
  | "lineage/state-missing" // the index has a snapshot whose state is not in the state store; data: id
  | "lineage/state-unwritten" // state could not be written, and the run has failed; data: id
  | "lineage/state-unreadable"; // the state store did not answer, or holds no JSON there; data: id

const httpStatuses: Readonly<Record<LineageErrorCode, number>> = {
  "lineage/not-found": 404,
  "lineage/busy": 409,
  "lineage/bad-move": 409,
  "lineage/not-ours": 409,
  "lineage/not-ready": 409,
  "lineage/taken": 409,
  "lineage/gone": 410,
  "lineage/invalid": 422,
  "lineage/empty-mailbox": 422,
  "lineage/limit": 422,
  "lineage/shutting-down": 503,
  "lineage/contention": 503,
  "lineage/run-missing": 500,
  "lineage/state-missing": 500,
  "lineage/state-unwritten": 500,
  "lineage/state-unreadable": 503,
};

/** The HTTP status that says the same; undefined for what is no error of this package. */
export function httpStatusOf(error: unknown): number | undefined {
  return isCmError(error) ? httpStatuses[error.code as LineageErrorCode] : undefined;
}

export const notFound = (kind: string, id: string): CmError<LineageErrorCode> =>
  fault("lineage/not-found", `There is no ${kind} ${shown(id)}.`, { kind, id: shown(id) });

export const invalid = (field: string, message: string): CmError<LineageErrorCode> =>
  fault("lineage/invalid", message, { field });

export function overLimit(limit: keyof typeof lineageLimits, actual: number): CmError<LineageErrorCode> {
  const bound = lineageLimits[limit];
  return fault("lineage/limit", `The request passes ${limit}: ${actual} where ${bound} is allowed.`, {
    limit,
    actual,
    bound,
  });
}

export const fault = (
  code: LineageErrorCode,
  message: string,
  data: ErrorData = {},
  cause?: unknown,
): CmError<LineageErrorCode> => new CmError(code, message, data, cause === undefined ? undefined : { cause });

/** An id from outside may be anything: bounded and on one line. */
export function shown(id: string): string {
  const line = JSON.stringify(`${id}`.toWellFormed()).slice(1, -1);
  return line.length > lineageLimits.idCharsMax ? `${line.slice(0, lineageLimits.idCharsMax - 1)}…` : line;
}

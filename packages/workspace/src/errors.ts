import { CmError, type ErrorData } from "@cm/object-model";

export type WorkspaceErrorCode =
  | "workspace/not-found" // no such workspace, session, task or artifact, or it was deleted
  | "workspace/conflict" // it has ended already, or others changed it too often meanwhile
  | "workspace/refused" // the session's state or policy does not allow it
  | "workspace/invalid" // what was given is not what it must be; data: field
  | "workspace/limit"; // a documented bound was passed; data: limit, actual, bound

export const failure = (code: WorkspaceErrorCode, message: string, data: ErrorData = {}): CmError<WorkspaceErrorCode> =>
  new CmError(code, message, data);

export const notFound = (what: string): CmError<WorkspaceErrorCode> =>
  failure("workspace/not-found", `There is no such ${what}; look at the list of what there is.`, { what });

export const invalid = (field: string, message: string): CmError<WorkspaceErrorCode> =>
  failure("workspace/invalid", message, { field });

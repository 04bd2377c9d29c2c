import { CmError, type ErrorData } from "@cm/object-model";

/** The reasons for refusing a bundle; nothing was written then. Faults of stores and files keep their own codes. */
export type BundleErrorCode =
  // Writing a bundle.
  | "bundle/not-found" // the store has no such session
  | "bundle/erased-step" // a step that the session continues was erased: the rest cannot be checked
  | "bundle/damaged-session" // steps or heads are missing or do not fit together
  // Reading one. `data.line` is the line, from 1; `data.reason` says in a few words what is wrong.
  | "bundle/limit" // a bound was passed; data: limit, bound
  | "bundle/bad-compression" // gzip data that cannot be expanded
  | "bundle/truncated" // it ends before its trailer, or in the middle of a line
  | "bundle/bad-digest" // a line is not what was written, or stands in another place
  | "bundle/not-canonical" // no UTF-8, no JSON, or not the one way to write it
  | "bundle/unknown-format" // no bundle, or one of a format that this version does not read
  | "bundle/invalid-line" // fields of a line are missing, unknown or of another kind
  | "bundle/invalid-document" // a document is not what its schema and hashes say
  | "bundle/misplaced" // a line stands where none of its kind may
  | "bundle/duplicate" // something stands twice
  | "bundle/foreign" // an object that does not belong to the session, or that nothing in it names
  | "bundle/missing-reference" // something is named and is not there
  | "bundle/bad-chain" // the steps are not those that the heads vouch for
  | "bundle/wrong-count" // the trailer counts otherwise
  | "bundle/changed" // between being verified and being written, the bundle became another
  // Comparing it with the store it goes to.
  | "bundle/diverged" // the store has this session with other steps
  | "bundle/conflict" // the store has other content under the same ids; data: ids
  | "bundle/in-use" // a client is writing this session in the store
  // Copying a whole store.
  | "copy/not-empty" // the store to copy into has objects
  | "copy/differs"; // what was copied is not what is in the first store; data: ids

export function bundleError(
  code: BundleErrorCode,
  message: string,
  data: ErrorData = {},
  options?: ErrorOptions,
): CmError<BundleErrorCode> {
  return new CmError(code, message, data, options);
}

/** A refusal that names the line and what is wrong with it; never what it says. */
export function badLine(
  code: BundleErrorCode,
  line: number,
  reason: string,
  data: ErrorData = {},
): CmError<BundleErrorCode> {
  return bundleError(code, `Line ${line} of the bundle is refused: ${reason}. Have the session exported again.`, {
    line,
    reason,
    ...data,
  });
}

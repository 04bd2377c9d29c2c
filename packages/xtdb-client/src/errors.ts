const mark = Symbol.for("xtdb-client.error");

export type XtdbErrorCode =
  | "xtdb/unreachable" // no node could be reached; what was to be sent certainly was not. Safe to repeat.
  | "xtdb/deadline" // the time was over, here or at the node; nothing was submitted
  | "xtdb/aborted" // the caller's signal fired; nothing was submitted
  | "xtdb/unknown-outcome" // a submit went out and its answer was lost. Look before repeating it; data.txId when known.
  | "xtdb/refused" // the node says that the request is wrong (4xx); data.errorKey says how
  | "xtdb/unauthorized" // 401: token missing or wrong
  | "xtdb/forbidden" // 403: a read-only node, or something that this node does not allow
  | "xtdb/too-large" // 413 or 414: the node does not take a request of this size
  | "xtdb/out-of-sync" // the node has not indexed the transaction that was asked for
  | "xtdb/server" // the node failed (5xx); data.serverClass says how
  | "xtdb/bad-answer" // empty, cut off, too large, of another type, a redirect, or no answer of XTDB at all
  | "xtdb/cleartext" // http: to another machine without allowCleartext
  | "xtdb/invalid" // an argument cannot be sent as it is; nothing was sent
  | "xtdb/closed"; // the client was closed

/** Plain facts: endpoint, status, names the server gave, transaction ids. Never documents, ids, queries or tokens. */
export type XtdbErrorData = Readonly<Record<string, string | number | boolean | null>>;

/** The one error of this package. Decide by `code`; `message` names the endpoint and the next step. */
export class XtdbError extends Error {
  readonly [mark] = true;
  override readonly name = "XtdbError";
  readonly code: XtdbErrorCode;
  readonly data: XtdbErrorData;

  constructor(code: XtdbErrorCode, message: string, data: XtdbErrorData = {}, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.data = data;
  }

  toJSON(): { code: XtdbErrorCode; message: string; data: XtdbErrorData } {
    return { code: this.code, message: this.message, data: this.data };
  }
}

/** Recognises an error by its mark, so that two copies of this package still agree. */
export function isXtdbError(error: unknown, code?: XtdbErrorCode): error is XtdbError {
  return (
    typeof error === "object" &&
    error !== null &&
    mark in error &&
    (code === undefined || ("code" in error && error.code === code))
  );
}

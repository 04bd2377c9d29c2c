const mark = Symbol.for("cm.error");

/** `area/what-happened`: the area is the contract or package that speaks. */
export type ErrorCode = `${string}/${string}`;

/** Plain facts about an error: ids, numbers and names, never content. */
export type ErrorData = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** What object stores of every kind throw. */
export type StoreErrorCode =
  | "store/conflict" // an expectation did not hold; data: ids, actual. Read again, decide again.
  | "store/envelope-changed" // a write would change an object's type or source; nothing was written
  | "store/invalid-input" // an argument is not of its type; data: argument
  | "store/invalid-document" // a document is not what its schema and hashes say
  | "store/limit" // a documented bound was passed; data: limit, actual, bound
  | "store/unknown-basis" // the token is not of this store, or not yet known here
  | "store/request-reused" // a request id came back with other writes
  | "store/unsupported" // this store cannot answer this filter
  | "store/unavailable" // the store cannot be opened, reached or locked in time; nothing was written
  | "store/unknown-outcome" // a commit's answer was lost; repeat it with the same request id
  | "store/corrupt" // stored data does not match its hash or schema
  | "store/closed";

/** What building or reading documents throws. */
export type ModelErrorCode =
  | "model/not-canonical" // a value that RFC 8785 cannot carry
  | "model/invalid-id"
  | "model/invalid-document"
  | "model/invalid-source"
  | "model/limit";

/**
 * The one error class of all packages: a code to decide by, data to show, a message that names the object and the
 * next step. Messages and data never hold content, arguments or credentials.
 */
export class CmError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly [mark] = true;
  override readonly name = "CmError";
  readonly code: Code;
  readonly data: ErrorData;

  constructor(code: Code, message: string, data: ErrorData = {}, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.data = data;
  }

  toJSON(): { code: Code; message: string; data: ErrorData } {
    return { code: this.code, message: this.message, data: this.data };
  }
}

/** Recognises an error by its mark, so that two copies of this package still agree. */
export function isCmError<Code extends ErrorCode = ErrorCode>(error: unknown, code?: Code): error is CmError<Code> {
  return (
    typeof error === "object" &&
    error !== null &&
    mark in error &&
    (code === undefined || (error as CmError).code === code)
  );
}

import type { Failure } from "./failure.ts";
import type { S3Reason } from "./reason.ts";

/** A refusal by our own rules while an answer is read; it is tried again like one of the server's. */
export class AnswerError extends Error {
  readonly failure: Failure;

  constructor(reason: S3Reason) {
    super(reason);
    this.failure = { kind: "failed", reason, again: true };
  }
}

export type NodeErrorCode =
  | "node/java-missing"
  | "node/maven-missing"
  | "node/download"
  | "node/checksum"
  | "node/compile"
  | "node/not-prepared"
  | "node/busy"
  | "node/invalid"
  | "node/folder"
  | "node/cannot-start"
  | "node/start-timeout"
  | "node/maintenance"
  | "node/aborted";

const mark: unique symbol = Symbol.for("@cm/xtdb-node/error");

/** A failure around the node, in one sentence that says what to do next. Never holds a password or a token. */
export class NodeError extends Error {
  readonly code: NodeErrorCode;
  readonly [mark] = true;

  constructor(code: NodeErrorCode, sentence: string, cause?: unknown) {
    super(sentence, cause === undefined ? undefined : { cause });
    this.name = "NodeError";
    this.code = code;
  }
}

/** Recognises the error also when two copies of this package are loaded. */
export function isNodeError(error: unknown): error is NodeError {
  return typeof error === "object" && error !== null && mark in error;
}

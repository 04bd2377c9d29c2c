import type { IncomingAssistant, RenderedPrompt, Usage } from "@cm/context-log";
import type { AttachmentRef, JsonObject } from "@cm/object-model";

/** A tool as all policies declare it: one file for both protocols. */
export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: JsonObject;
}

export interface WireRequest {
  readonly model: string;
  readonly prompt: RenderedPrompt;
  readonly tools: readonly ToolDeclaration[];
  readonly outputTokensMax: number;
  /** Sent where the protocol knows seeds. */
  readonly seed?: number | undefined;
  readonly extra: JsonObject;
  /** An attachment's bytes in base64. */
  readonly image: (attachment: AttachmentRef) => string;
}

export interface ModelAnswer {
  readonly message: IncomingAssistant;
  readonly usage: Usage;
}

/** One of the two wire formats, pure. */
export interface Wire {
  /** The endpoint below a base address. One that names it already stays. */
  address(base: URL): URL;
  headers(key: string | undefined): Readonly<Record<string, string>>;
  /** The request's body. @throws CmError `live/broken-pairs` */
  body(request: WireRequest): string;
  /** Throws a ZodError where the JSON is not of the protocol. */
  answer(json: unknown): ModelAnswer;
}

/** `base` with a path at its end, unless it is there. */
export function below(base: URL, path: string): URL {
  const url = new URL(base);
  const start = url.pathname.replace(/\/+$/, "");
  url.pathname = start.endsWith(path) ? start : `${start}${path}`;
  return url;
}

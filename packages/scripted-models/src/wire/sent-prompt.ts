/** A request of any format, in one shape. */
export interface SentPrompt {
  /** The text of the system prompt. */
  readonly system: string;
  readonly tools: readonly { readonly name: string; readonly json: string }[];
  /** In the order of the wire; messages of the system's own later in the conversation have the role `system`. */
  readonly messages: readonly SentMessage[];
  /** The text that a provider's cache compares, in its order, without the marks. */
  readonly pieces: readonly Piece[];
}

export interface SentMessage {
  readonly role: "user" | "assistant" | "tool" | "system";
  readonly blocks: readonly SentBlock[];
}

export type SentBlock =
  | { readonly kind: "text"; readonly text: string }
  /** `signature`: Anthropic's, the encrypted content of responses, or undefined where the format has none. */
  | { readonly kind: "thinking"; readonly text: string; readonly signature: string | undefined }
  /** `args` is JSON text. */
  | { readonly kind: "call"; readonly id: string; readonly name: string; readonly args: string }
  | { readonly kind: "image"; readonly mediaType: string; readonly data: string }
  | {
      readonly kind: "result";
      readonly id: string;
      /** All text of the result. */
      readonly text: string;
      readonly images: readonly { readonly mediaType: string; readonly data: string }[];
      /** Undefined where the format does not say it. */
      readonly isError: boolean | undefined;
    };

export interface Piece {
  readonly text: string;
  /** Its weight: an image counts less than its bytes. */
  readonly chars: number;
  /** Whether the request asks for caching up to here. */
  readonly marked: boolean;
}

/** A body that is not of its format: nothing that Pi should send. */
export class UnreadableRequest extends Error {
  override readonly name = "UnreadableRequest";
}

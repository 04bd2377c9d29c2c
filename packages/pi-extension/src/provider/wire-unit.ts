/** Where a mark may stand in a request: a content block of one of its messages. */
export interface WirePlace {
  readonly message: number;
  /** Undefined where the message's content is a plain text, which becomes a block with the mark. */
  readonly block: number | undefined;
}

/** What one message of the prompt became on the wire: a message, or one of several results that share a message. */
export interface WireUnit {
  readonly kind: "user" | "assistant" | "tool" | "system";
  /** Of a result the call it answers, of an answer its first call. */
  readonly callId?: string;
  readonly texts: readonly string[];
  readonly hasPictures: boolean;
  /** The last block that takes a mark. Absent where none does. */
  readonly place?: WirePlace;
}

export type WireFormat = "anthropic" | "openai-completions" | "openai-responses";

export interface WirePrompt {
  readonly format: WireFormat;
  readonly units: readonly WireUnit[];
}

export type WireObject = Readonly<Record<string, unknown>>;

export const isWireObject = (value: unknown): value is WireObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const stringOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Blocks of a content; a plain text counts as one. */
export function blocksIn(content: unknown): readonly WireObject[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return Array.isArray(content) ? content.filter(isWireObject) : [];
}

export function textsIn(content: unknown): readonly string[] {
  return blocksIn(content).flatMap(({ text }) => (typeof text === "string" ? [text] : []));
}

const pictureTypes = new Set<unknown>(["image", "image_url", "input_image"]);

export const hasPicturesIn = (content: unknown): boolean =>
  blocksIn(content).some(({ type }) => pictureTypes.has(type));

/** Where a mark may stand in a request: a content block of one of its messages. */
export interface WirePlace {
  readonly message: number;
  /** Undefined where the message's content is a plain text, which becomes a block with the mark. */
  readonly block: number | undefined;
}

export type WireKind = "user" | "assistant" | "tool" | "system";

/** Where a unit's content stands in the request. */
export interface WireSpot {
  readonly message: number;
  /** The block that it is, where several units share a message. */
  readonly block?: number;
  /** Before the first of its blocks, where it is a part of a message's content. */
  readonly blocksBefore?: number;
}

/**
 * What one message of the prompt became on the wire: a message, or one of several results that share a message. A long
 * session has thousands at each request, so nothing is parsed before the first access.
 */
export class WireUnit {
  readonly kind: WireKind;
  /** Of a result the call it answers, of an answer its first call. */
  readonly callId: string | undefined;
  readonly #content: unknown;
  readonly #spot: WireSpot;
  readonly #markable: ReadonlySet<unknown>;

  constructor(kind: WireKind, content: unknown, wire: WireFacts) {
    this.kind = kind;
    this.callId = wire.callId;
    this.#content = content;
    this.#spot = wire.spot;
    this.#markable = wire.markable;
  }

  /** Which of the request's messages it is, or is a part of. */
  get message(): number {
    return this.#spot.message;
  }

  get texts(): readonly string[] {
    const content = this.#content;
    if (typeof content === "string") return content === "" ? [] : [content];
    return blocksIn(content).flatMap(({ text }) => (typeof text === "string" ? [text] : []));
  }

  /** UTF-16 units of its texts. */
  get chars(): number {
    const content = this.#content;
    if (typeof content === "string") return content.length;
    return this.texts.reduce((sum, text) => sum + text.length, 0);
  }

  get hasPictures(): boolean {
    return blocksIn(this.#content).some(({ type }) => pictureTypes.has(type));
  }

  /** The last block that takes a mark; undefined where none does. */
  get place(): WirePlace | undefined {
    const { message, block, blocksBefore = 0 } = this.#spot;
    if (this.#markable.size === 0) return undefined;
    if (block !== undefined) return { message, block };
    const content = this.#content;
    if (typeof content === "string") return content === "" ? undefined : { message, block: undefined };
    if (!Array.isArray(content)) return undefined;
    const last = content.findLastIndex(
      (each: unknown) => isWireObject(each) && this.#markable.has(each.type) && each.text !== "",
    );
    return last === -1 ? undefined : { message, block: last + blocksBefore };
  }
}

interface WireFacts {
  readonly callId?: string | undefined;
  readonly spot: WireSpot;
  /** Types of blocks that take a mark. */
  readonly markable: ReadonlySet<unknown>;
}

export type WireFormat = "anthropic" | "openai-completions" | "openai-responses";

export type WireObject = Readonly<Record<string, unknown>>;

/** A request's messages. Long ones are read in parts. */
export interface WirePrompt {
  readonly format: WireFormat;
  readonly messages: readonly WireObject[];
  /** Units of the messages from `from` on, before `to`. Default: all of them. */
  units(from?: number, to?: number): readonly WireUnit[];
}

/** Reads one message of a request, which is at that place. */
export type UnitReader = (message: WireObject, place: number) => readonly WireUnit[];

export const isWireObject = (value: unknown): value is WireObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const stringOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Blocks of a content; a plain text has none. */
const blocksIn = (content: unknown): readonly WireObject[] =>
  Array.isArray(content) ? content.filter(isWireObject) : [];

const pictureTypes = new Set<unknown>(["image", "image_url", "input_image"]);

/** A request in either format, as far as a scripted model looks at it. */
export interface SentRequest {
  /** All text of the user's messages. */
  readonly userText: string;
  /** Answers of the model so far. */
  readonly answers: number;
  /** The prompt in pieces, in the order in which a provider's cache sees them. */
  readonly pieces: readonly string[];
  /** After how many pieces caching is asked for; undefined where the protocol has no such marks. */
  readonly marks: readonly number[] | undefined;
}

/** A request that a provider would refuse, with the reason. */
export class BadRequest extends Error {
  override readonly name = "BadRequest";
}

export function insist(holds: boolean, what: string): asserts holds {
  if (!holds) throw new BadRequest(what);
}

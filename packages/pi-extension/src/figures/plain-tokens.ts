import { figureLimits } from "./limits.ts";
import type { PlainLog } from "./plain-log.ts";

/** A request as we sent it, in characters. */
export interface SentRequest {
  /** Of system prompt and tools. */
  readonly headChars: number;
  /** Of its messages. */
  readonly chars: number;
  /** Of the messages at its start that the request before had, too, and whether these were all of that one's. */
  readonly commonChars: number;
  readonly isAppended: boolean;
  /** By how much other extensions make the same request of a Pi without us longer. */
  readonly othersChars: number;
}

/** What a provider counted. */
export interface Counted {
  readonly model: string;
  readonly tokens: number;
  readonly sent: SentRequest | undefined;
  /** Characters of the head in a Pi without us. */
  readonly plainHeadChars: number;
}

type Sent = Counted & { readonly sent: SentRequest };

/**
 * Tokens of the same requests in a Pi without us. What was added to a request of ours counts what the provider says
 * that it grew by, and keeps that when we fold it: only a message that came in the very request in which something was
 * folded is estimated, by the characters that the others had.
 */
export class PlainTokens {
  readonly log: PlainLog;
  headTokens = 0;
  #last: Sent | undefined;
  /** Of what was added and counted, the newer the more. */
  #growth = { chars: 0, tokens: 0 };

  constructor(log: PlainLog) {
    this.log = log;
  }

  get total(): number {
    return this.headTokens + this.log.summaryTokens + this.log.partTokens;
  }

  /** A request of ours, of which the provider counted the tokens. */
  counted(request: Counted): void {
    const { tokens, sent, plainHeadChars } = request;
    const last = this.#last;
    if (this.headTokens === 0) this.#begin(request);
    else if (last !== undefined && sent !== undefined) this.#grown(last, { ...request, sent });
    else this.log.requested();
    if (last !== undefined) this.headTokens += (plainHeadChars - last.plainHeadChars) / this.log.charsPerToken;
    this.#last = sent === undefined ? undefined : { ...request, sent, tokens };
  }

  /** A request of a Pi without us. */
  known(tokens: number, plainHeadChars: number): void {
    this.log.charsPerToken = (plainHeadChars + this.log.chars) / Math.max(1, tokens - this.log.summaryTokens);
    this.headTokens = plainHeadChars / this.log.charsPerToken;
    this.log.countAs(tokens - this.headTokens - this.log.summaryTokens);
    this.log.requested();
    this.#last = undefined;
  }

  /** No count exists. */
  estimated(plainHeadChars: number): void {
    this.headTokens = plainHeadChars / this.log.charsPerToken;
    this.log.requested();
    this.#last = undefined;
  }

  #begin({ tokens, sent, plainHeadChars }: Counted): void {
    const chars = sent === undefined ? plainHeadChars + this.log.chars : sent.headChars + sent.chars;
    this.log.charsPerToken = chars / tokens;
    this.headTokens = plainHeadChars / this.log.charsPerToken;
    this.log.countAs(this.log.chars / this.log.charsPerToken);
    this.log.requested();
  }

  #grown(last: Sent, { model, tokens, sent }: Sent): void {
    const chars = sent.chars - last.sent.chars;
    if (model !== last.model) {
      this.#scale(tokens / (last.tokens + chars / this.log.charsPerToken));
      return;
    }
    const grown = tokens - last.tokens;
    const isSame = sent.isAppended && sent.headChars === last.sent.headChars && isAbout(chars, this.log.freshChars);
    const isCounted = isSame && grown > 0;
    if (isCounted) this.#learn(chars, grown);
    this.log.requested(isCounted ? grown : undefined);
  }

  /** Another model counts the same text otherwise. */
  #scale(factor: number): void {
    this.log.scale(factor);
    this.headTokens *= factor;
    this.#growth = { chars: 0, tokens: 0 };
    this.log.requested();
  }

  #learn(chars: number, tokens: number): void {
    const { remembered } = figureLimits;
    this.#growth = {
      chars: this.#growth.chars * remembered + chars,
      tokens: this.#growth.tokens * remembered + tokens,
    };
    this.log.charsPerToken = this.#growth.chars / this.#growth.tokens;
  }
}

/** Sizes are about what a request has: two of the same messages may differ a little. */
const isAbout = (chars: number, others: number): boolean => Math.abs(chars - others) <= 50 + 0.02 * others;

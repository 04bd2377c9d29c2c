import type { Usage } from "@cm/object-model";
import type { SentRequest } from "./sent-request.ts";

/** About what common tokenizers make of English text and code. */
const charsPerToken = 4;

/** Counts as a provider with a prefix cache would, one conversation after the other. */
export class PrefixCache {
  #before: readonly string[] = [];
  #kept: readonly number[] = [];

  /** Tokens of a request's input; what the request before left in the cache is read from it. */
  count({ pieces, marks, answers }: SentRequest): Omit<Usage, "output"> {
    if (answers === 0) this.#before = [];
    const common = commonStart(pieces, this.#before);
    const served = marks === undefined ? common : Math.max(0, ...this.#kept.filter((place) => place <= common));
    const last = marks === undefined ? served : Math.max(served, ...marks);
    const cached = answers === 0 ? 0 : served;
    this.#before = pieces;
    this.#kept = marks ?? [];
    return {
      cacheRead: tokensOf(pieces.slice(0, cached)),
      cacheWrite: tokensOf(pieces.slice(cached, last)),
      input: tokensOf(pieces.slice(Math.max(cached, last))),
    };
  }
}

function commonStart(pieces: readonly string[], before: readonly string[]): number {
  const differs = pieces.findIndex((piece, index) => piece !== before[index]);
  return differs === -1 ? pieces.length : differs;
}

const tokensOf = (pieces: readonly string[]): number =>
  Math.ceil(pieces.reduce((sum, piece) => sum + piece.length, 0) / charsPerToken);

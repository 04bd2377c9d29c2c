import { type ContextView, messageBytes, type PromptDecision, type RenderedPrompt } from "@cm/context-log";
import { lineBytesMax, rangesOf } from "./earlier-units.ts";
import type { LeavingPrompt } from "./omit-earlier.ts";

/** A prompt whose messages are known with their weights: those of the conversation may leave it as a whole. */
export class WeighedChat implements LeavingPrompt {
  readonly view: ContextView;
  readonly #weights = new Map<number, number>();
  readonly #omitted = new Set<number>();
  #bytes = 0;

  constructor(view: ContextView, messages: RenderedPrompt["messages"]) {
    this.view = view;
    for (const message of messages) {
      const bytes = messageBytes(message);
      this.#bytes += bytes;
      // A message of the log is named by its place, all others by words.
      const at = /^[0-9]+/.exec(message.id)?.[0];
      if (at !== undefined) this.#weights.set(Number(at), bytes);
    }
  }

  get bytes(): number {
    return this.#bytes + (this.#omitted.size === 0 ? 0 : lineBytesMax);
  }

  /** Other messages became so much less. */
  lighten(bytes: number): void {
    this.#bytes -= bytes;
  }

  bytesOf(places: readonly number[]): number {
    return places.reduce((sum, place) => sum + (this.isOmitted(place) ? 0 : (this.#weights.get(place) ?? 0)), 0);
  }

  isOmitted(place: number): boolean {
    return this.#omitted.has(place);
  }

  omit(places: readonly number[]): void {
    this.#bytes -= this.bytesOf(places);
    for (const place of places) this.#omitted.add(place);
  }

  /** What left, as a decision says it. */
  get omission(): Pick<PromptDecision, "omit" | "fold" | "reasons"> {
    if (this.#omitted.size === 0) return {};
    const cut = Math.min(...this.#omitted);
    return {
      omit: rangesOf(this.view.log, this.#omitted),
      fold: { cut, reason: "window" },
      reasons: { "window: earlier turns left out": [`${cut}`] },
    };
  }
}

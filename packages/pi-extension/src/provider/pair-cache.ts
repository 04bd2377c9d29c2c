import type { PromptMessage } from "@cm/context-log";
import { MatchedRange } from "./matched-range.ts";
import type { WirePlace, WirePrompt } from "./wire-unit.ts";

/**
 * Where the messages of the newest prompt stand in its request. Both mostly grow at their ends: then only what is new
 * is walked through, and what lies around the places that are asked for.
 */
export class PairCache {
  #messages: readonly PromptMessage[] = [];
  /** Of each message which of the request's it is, or is a part of. */
  readonly #wire: (number | undefined)[] = [];

  /**
   * Where marks go behind so many messages of the prompt each, counts ascending. Undefined where what the last of them
   * counts is not found in the request.
   */
  placesBehind(
    counts: readonly number[],
    messages: readonly PromptMessage[],
    request: WirePrompt,
  ): readonly WirePlace[] | undefined {
    const seam = this.#seam(messages, counts.at(-1) ?? 0);
    const grown = seam === 0 ? undefined : this.#placesFrom(seam, { counts, messages, request });
    return grown ?? this.#placesFrom(0, { counts, messages, request });
  }

  /** The last answer before `end` that was there in the request before; 0 where none was. */
  #seam(messages: readonly PromptMessage[], end: number): number {
    let same = 0;
    while (same < end && this.#messages[same] === messages[same]) same += 1;
    for (let place = same - 1; place > 0; place -= 1) if (this.#isAnchor(messages, place)) return place;
    return 0;
  }

  #isAnchor(messages: readonly PromptMessage[], place: number): boolean {
    return messages[place]?.role === "assistant" && this.#wire[place] !== undefined;
  }

  #placesFrom(seam: number, { counts, messages, request }: Asked): readonly WirePlace[] | undefined {
    const tail = new MatchedRange(messages, request, {
      messages: [seam, messages.length],
      wire: [this.#wireAt(seam), request.messages.length],
    });
    const end = counts.at(-1) ?? 0;
    if ((seam > 0 && !tail.beginsAlike) || (end > 0 && !tail.has(end - 1))) return undefined;
    this.#messages = messages;
    this.#wire.length = seam;
    for (let place = seam; place < messages.length; place += 1) this.#wire.push(tail.wireOf(place));
    const places: WirePlace[] = [];
    for (const count of counts) {
      const place = tail.placeBehind(count) ?? (seam === 0 ? undefined : this.#placeBefore(count, messages, request));
      if (place === "unknown") return undefined;
      if (place !== undefined) places.push(place);
    }
    return places;
  }

  /** Looks from answer to answer towards the start. Unknown where one of them stands elsewhere now. */
  #placeBefore(
    count: number,
    messages: readonly PromptMessage[],
    request: WirePrompt,
  ): WirePlace | "unknown" | undefined {
    let to = count;
    while (to < messages.length && !this.#isAnchor(messages, to)) to += 1;
    const wireEnd = to < messages.length ? this.#wireAt(to) + 1 : request.messages.length;
    for (let from = count; from > 0; ) {
      from -= 1;
      while (from > 0 && !this.#isAnchor(messages, from)) from -= 1;
      const bounds = { messages: [from, to + 1], wire: [this.#wireAt(from), wireEnd] } as const;
      const stretch = new MatchedRange(messages, request, bounds);
      if (from > 0 && !stretch.beginsAlike) return "unknown";
      const place = stretch.placeBehind(count);
      if (place !== undefined) return place;
    }
    return undefined;
  }

  #wireAt(place: number): number {
    return place <= 0 ? 0 : (this.#wire[place] ?? 0);
  }
}

interface Asked {
  readonly counts: readonly number[];
  readonly messages: readonly PromptMessage[];
  readonly request: WirePrompt;
}

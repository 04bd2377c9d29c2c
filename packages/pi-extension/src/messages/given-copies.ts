import type { BranchItem } from "../branch/branch-item.ts";
import type { PiMessage } from "../pi/pi-types.ts";

/** Items between two neighbours in Pi's list that it may leave out. */
const skippedMax = 16;

/**
 * Pi's copies of the branch's messages, which come with each request and are whose handler it is: they need not be copied
 * again. Told apart by role, time and call; the very objects of the branch are none.
 */
export class GivenCopies {
  readonly #copies = new Map<BranchItem, PiMessage>();

  /** From the end, where both always agree: compaction takes from the start of Pi's list. */
  constructor(items: readonly BranchItem[], given: readonly PiMessage[]) {
    let place = items.length - 1;
    for (let n = given.length - 1; n >= 0 && place >= 0; n -= 1) {
      const message = given[n];
      if (message?.role !== "assistant" && message?.role !== "toolResult") continue;
      const found = placeOf(items, message, place);
      const item = items[found];
      if (item === undefined) continue;
      if (item.message !== message) this.#copies.set(item, message);
      place = found - 1;
    }
  }

  /** Once: whoever takes it may change it. */
  take<Item extends BranchItem>(item: Item): Item["message"] | undefined {
    const copy = this.#copies.get(item);
    this.#copies.delete(item);
    return copy;
  }
}

function placeOf(items: readonly BranchItem[], message: PiMessage, from: number): number {
  for (let place = from; place >= 0 && place > from - skippedMax; place -= 1) {
    const known = items[place]?.message;
    if (known === undefined || known.role !== message.role || known.timestamp !== message.timestamp) continue;
    if (known.role !== "toolResult" || message.role !== "toolResult" || known.toolCallId === message.toolCallId) {
      return place;
    }
  }
  return -1;
}

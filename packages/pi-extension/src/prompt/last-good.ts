import type { BranchItem } from "../branch/branch-item.ts";
import { noWork, type OthersWork } from "../others/others-work.ts";
import { type Placed, putTogether } from "../others/put-together.ts";
import type { PiMessage } from "../pi/pi-types.ts";
import { safePrompt } from "./safe-prompt.ts";

/** The newest prompt that session and renderer made, and the branch that it was made of. */
interface GoodPrompt {
  /** Makes its messages anew, of what others left now: the last ones may have been changed since. */
  readonly messages: (work: OthersWork) => readonly Placed[];
  readonly count: number;
  readonly first: string | undefined;
  readonly last: string | undefined;
}

/** What goes out where session or store fail: never the raw history (F18), nor what others took out of it. */
export class LastGood {
  #good: GoodPrompt | undefined;

  keep(messages: GoodPrompt["messages"], items: readonly BranchItem[]): void {
    this.#good = { messages, count: items.length, ...endsOf(items, items.length) };
  }

  /** The last good prompt with what came since at its end; a small safe prompt where the branch is another one. */
  promptFor(items: readonly BranchItem[], work: OthersWork = noWork): PiMessage[] {
    return putTogether(this.#placed(items, work), items, work);
  }

  #placed(items: readonly BranchItem[], work: OthersWork): readonly Placed[] {
    const good = this.#good;
    if (good === undefined) return safelyPlaced(items, work);
    const { first, last } = endsOf(items, good.count);
    if (first !== good.first || last !== good.last) return safelyPlaced(items, work);
    try {
      return [...good.messages(work), ...safelyPlaced(items, work, good.count)];
    } catch {
      return safelyPlaced(items, work);
    }
  }
}

const safelyPlaced = (items: readonly BranchItem[], work: OthersWork, from = 0): readonly Placed[] =>
  safePrompt(items.slice(from), work).map((message, place) => ({ message, item: from + place }));

/** Entries have one parent, so equal ends mean equal paths. */
const endsOf = (items: readonly BranchItem[], count: number) => ({
  first: items[0]?.entry,
  last: items[count - 1]?.entry,
});

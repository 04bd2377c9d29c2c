import type { BranchItem } from "../branch/branch-item.ts";
import type { PiMessage } from "../pi/pi-types.ts";
import { safePrompt } from "./safe-prompt.ts";

/** The newest prompt that session and renderer made, and the branch that it was made of. */
interface GoodPrompt {
  /** Makes its messages anew: whoever got them may have changed them. */
  readonly messages: () => readonly PiMessage[];
  readonly count: number;
  readonly first: string | undefined;
  readonly last: string | undefined;
}

/** What goes out where session or store fail: never the raw history (reliability F18). */
export class LastGood {
  #good: GoodPrompt | undefined;

  keep(messages: () => readonly PiMessage[], items: readonly BranchItem[]): void {
    this.#good = { messages, count: items.length, ...endsOf(items, items.length) };
  }

  /** The last good prompt with what came since at its end; a small safe prompt where the branch is another one. */
  promptFor(items: readonly BranchItem[]): PiMessage[] {
    const good = this.#good;
    if (good === undefined) return safePrompt(items);
    const { first, last } = endsOf(items, good.count);
    if (first !== good.first || last !== good.last) return safePrompt(items);
    const since = items.slice(good.count);
    try {
      return [...good.messages(), ...safePrompt(since)];
    } catch {
      return safePrompt(items);
    }
  }
}

/** Entries have one parent, so equal ends mean equal paths. */
const endsOf = (items: readonly BranchItem[], count: number) => ({
  first: items[0]?.entry,
  last: items[count - 1]?.entry,
});

import type { BranchItem } from "../branch/branch-item.ts";
import { applyExtensionChanges, type PlacedMessage } from "../others/apply-extension-changes.ts";
import { type ExtensionChanges, noExtensionChanges } from "../others/extension-changes.ts";
import type { PiMessage } from "../pi/pi-types.ts";
import { safePrompt } from "./safe-prompt.ts";
import { withLostResults } from "./with-lost-results.ts";

/** The newest prompt that session and renderer made, and the branch that it was made of. */
interface SentPrompt {
  /** Makes its messages anew, of what others left now: the last ones may have been changed since. */
  readonly messages: (work: ExtensionChanges) => readonly PlacedMessage[];
  readonly count: number;
  readonly first: string | undefined;
  readonly last: string | undefined;
}

/** What goes out where session or store fail: never the raw history (F18), nor what others took out of it. */
export class LastPrompt {
  #good: SentPrompt | undefined;

  keep(messages: SentPrompt["messages"], items: readonly BranchItem[]): void {
    this.#good = { messages, count: items.length, ...endsOf(items, items.length) };
  }

  /** The last good prompt with what came since at its end; a small safe prompt where the branch is another one. */
  promptFor(items: readonly BranchItem[], work: ExtensionChanges = noExtensionChanges): PiMessage[] {
    return applyExtensionChanges(withLostResults(this.#placed(items, work)), items, work);
  }

  #placed(items: readonly BranchItem[], work: ExtensionChanges): readonly PlacedMessage[] {
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

const safelyPlaced = (items: readonly BranchItem[], work: ExtensionChanges, from = 0): readonly PlacedMessage[] =>
  safePrompt(items.slice(from), work).map((message, place) => ({ message, item: from + place }));

/** Entries have one parent, so equal ends mean equal paths. */
const endsOf = (items: readonly BranchItem[], count: number) => ({
  first: items[0]?.entry,
  last: items[count - 1]?.entry,
});

import type { BranchItem } from "../branch/branch-item.ts";
import { copied } from "../branch/copied.ts";
import type { PiMessage } from "../pi/pi-types.ts";
import { hasEqualContent } from "./equal-content.ts";
import { type InsertedMessage, pairedMessages } from "./paired-messages.ts";

/** What other extensions made of a branch before it came to us. */
export interface ExtensionChanges {
  /**
   * What became of an item, by its entry; null where it was taken out as a whole. What is as recorded is not in here.
   */
  readonly changed: ReadonlyMap<string, PiMessage | null>;
  readonly inserted: readonly InsertedMessage[];
}

export const noExtensionChanges: ExtensionChanges = { changed: new Map(), inserted: [] };

/**
 * Compares what comes for each request with the branch. What did not change since the last time stays the same object.
 */
export class ExtensionChangeDetector {
  #last: ExtensionChanges["changed"] = noExtensionChanges.changed;

  /** @param shows whether Pi itself shows an item: not what lies before a compaction of ours */
  among(
    messages: readonly PiMessage[],
    items: readonly BranchItem[],
    shows: (item: BranchItem, place: number) => boolean,
  ): ExtensionChanges {
    const { partners, inserted } = pairedMessages(messages, items, shows);
    const changed = new Map<string, PiMessage | null>();
    for (let place = 0; place < items.length; place += 1) {
      const item = items[place];
      const partner = partners[place];
      if (item === undefined || partner === "hidden") continue;
      const message = partner === undefined ? undefined : messages[partner];
      if (message === undefined) changed.set(item.entry, null);
      else if (!hasEqualContent(item.message, message)) changed.set(item.entry, this.#known(item.entry, message));
    }
    this.#last = changed;
    return changed.size === 0 && inserted.length === 0 ? noExtensionChanges : { changed, inserted };
  }

  #known(entry: string, message: PiMessage): PiMessage {
    const before = this.#last.get(entry);
    return before !== undefined && before !== null && hasEqualContent(before, message) ? before : copied(message);
  }
}

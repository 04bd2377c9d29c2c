import type { BranchItem } from "../branch/branch-item.ts";
import { copied } from "../messages/copied.ts";
import type { PiMessage } from "../pi/pi-types.ts";
import { safePrompt } from "./safe-prompt.ts";

/** The newest prompt that session and renderer made, and the branch that it was made of. */
interface GoodPrompt {
  readonly messages: readonly PiMessage[];
  readonly entries: readonly string[];
}

/** What goes out where session or store fail: never the raw history (reliability F18). */
export class LastGood {
  #good: GoodPrompt | undefined;

  keep(messages: readonly PiMessage[], items: readonly BranchItem[]): void {
    this.#good = { messages: copied(messages), entries: items.map(({ entry }) => entry) };
  }

  /** The last good prompt with what came since at its end; a small safe prompt where the branch is another one. */
  promptFor(items: readonly BranchItem[]): PiMessage[] {
    const good = this.#good;
    const last = (good?.entries.length ?? 0) - 1;
    if (good === undefined || items[last]?.entry !== good.entries[last] || items[0]?.entry !== good.entries[0]) {
      return safePrompt(items);
    }
    const since = items.slice(good.entries.length);
    return [...copied(good.messages), ...safePrompt(since)];
  }
}

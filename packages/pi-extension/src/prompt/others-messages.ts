import type { BranchItem } from "../branch/branch-item.ts";
import type { PiMessage } from "../pi/pi-types.ts";

/**
 * Messages that other extensions put into a request before us: they are on no branch, so the session does not know them,
 * and they go out behind its prompt. The branch mostly grows at its end; then only what is new is looked at.
 */
export class OthersMessages {
  /** How often something was said, by role and time. */
  #said = new Map<string, number>();
  #count = 0;
  #newest: BranchItem | undefined;

  among(messages: readonly PiMessage[], items: readonly BranchItem[]): readonly PiMessage[] {
    this.#learn(items);
    const met = new Map<string, number>();
    return messages.filter((message) => {
      if (message.role !== "user" && message.role !== "custom") return false;
      const key = keyOf(message);
      const times = (met.get(key) ?? 0) + 1;
      met.set(key, times);
      return times > (this.#said.get(key) ?? 0);
    });
  }

  #learn(items: readonly BranchItem[]): void {
    if (this.#newest !== items[this.#count - 1]) {
      this.#said = new Map();
      this.#count = 0;
    }
    for (let place = this.#count; place < items.length; place += 1) {
      const item = items[place];
      if (item?.kind !== "said") continue;
      const key = keyOf(item.message);
      this.#said.set(key, (this.#said.get(key) ?? 0) + 1);
    }
    this.#count = items.length;
    this.#newest = items.at(-1);
  }
}

const keyOf = ({ role, timestamp }: Pick<PiMessage, "role" | "timestamp">): string => `${role} ${timestamp}`;

import type { PiSide } from "../pi/pi-side.ts";
import type { PiMessage } from "../pi/pi-types.ts";
import type { BranchItem } from "./branch-item.ts";
import { GrowingItems, itemsOfMessages } from "./branch-items.ts";
import { PiVisibility } from "./pi-visibility.ts";

/** The items of the branch that Pi stands on now. Asking again costs nothing while the branch is the same. */
export class CurrentItems {
  readonly #side: Pick<PiSide, "leaf" | "branch">;
  readonly #growing = new GrowingItems();
  readonly #shown = new PiVisibility();
  #known: { readonly leaf: string | null; readonly items: readonly BranchItem[] } | undefined;

  constructor(side: Pick<PiSide, "leaf" | "branch">) {
    this.#side = side;
  }

  /** @throws what Pi throws once its session is over */
  now(): readonly BranchItem[] {
    const leaf = this.#side.leaf();
    if (this.#known?.leaf !== leaf) this.#known = { leaf, items: this.#growing.of(this.#side.branch()) };
    return this.#known.items;
  }

  /** Whether Pi itself shows an item of the branch in requests. @throws what Pi throws once its session is over */
  shownByPi(): (item: BranchItem, place: number) => boolean {
    return this.#shown.of(this.#side.branch(), this.now());
  }

  /** The branch, or where Pi cannot give it these messages. */
  nowOr(messages: readonly PiMessage[]): readonly BranchItem[] {
    try {
      return this.now();
    } catch {
      return itemsOfMessages(messages);
    }
  }
}

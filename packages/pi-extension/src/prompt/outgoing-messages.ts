import type { RenderedPrompt, WindowBound } from "@cm/context-log";
import type { Redactor } from "@cm/sources-fs";
import type { BranchItem } from "../branch/branch-item.ts";
import { outgoing } from "../messages/outgoing.ts";
import { Pictures } from "../messages/pictures.ts";
import { PreparedCopies } from "../messages/prepared-copies.ts";
import { Secrets } from "../messages/secrets.ts";
import { applyExtensionChanges } from "../others/apply-extension-changes.ts";
import type { ExtensionChanges } from "../others/extension-changes.ts";
import type { PiMessage } from "../pi/pi-types.ts";
import { LastPrompt } from "./last-prompt.ts";
import { withinWindow } from "./within-window.ts";

/** The branch of a request, and what others made of it. */
export interface BranchContext {
  readonly items: readonly BranchItem[];
  readonly work: ExtensionChanges;
  /** Whether the prompt was made of what others left of an item. */
  readonly isTold: (item: BranchItem) => boolean;
  /** The item that stands at a place of the session's log. */
  readonly itemAt: (place: number) => number | undefined;
}

/** What Pi is handed for the requests of one session: the session's prompts, and what stands in for them. */
export class OutgoingMessages {
  readonly #pictures = new Pictures();
  readonly #secrets: Secrets;
  readonly #preparedCopies = new PreparedCopies();
  readonly #lastGood = new LastPrompt();

  constructor(redact: Redactor) {
    this.#secrets = new Secrets(redact);
  }

  /** @throws CmError `pi/prompt-mismatch` where prompt and branch do not belong together */
  of(prompt: RenderedPrompt, { items, work, isTold, itemAt }: BranchContext): PiMessage[] {
    this.#pictures.learn(items);
    const context = { items, pictures: this.#pictures, secrets: this.#secrets };
    const { changed } = work;
    const made = this.#preparedCopies.take(prompt, { ...context, versions: { changed, isTold, itemAt } });
    this.#lastGood.keep((now) => {
      const isToldNow = (item: BranchItem): boolean =>
        isTold(item) && changed.get(item.entry) === now.changed.get(item.entry);
      return outgoing(prompt, { ...context, versions: { changed: now.changed, isTold: isToldNow, itemAt } });
    }, items);
    return applyExtensionChanges(made, items, work);
  }

  /** Where session or store fail: never the raw history, and never more than the model has room for. */
  withoutSession(items: readonly BranchItem[], work: ExtensionChanges, window: WindowBound | undefined): PiMessage[] {
    return [...withinWindow(this.#lastGood.promptFor(items, work), window)];
  }

  /** Time for what the next request will want. */
  prepare(): void {
    this.#preparedCopies.prepare();
  }
}

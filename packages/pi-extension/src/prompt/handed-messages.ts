import type { RenderedPrompt } from "@cm/object-model";
import type { Redactor } from "@cm/sources-fs";
import type { BranchItem } from "../branch/branch-item.ts";
import { outgoing } from "../messages/outgoing.ts";
import { Pictures } from "../messages/pictures.ts";
import { Secrets } from "../messages/secrets.ts";
import { SpareCopies } from "../messages/spare-copies.ts";
import type { PiMessage } from "../pi/pi-types.ts";
import { LastGood } from "./last-good.ts";
import { OthersMessages } from "./others-messages.ts";

/** What Pi is handed for the requests of one session: the session's prompts, and what stands in for them. */
export class HandedMessages {
  readonly #pictures = new Pictures();
  readonly #secrets: Secrets;
  readonly #spares = new SpareCopies();
  readonly #others = new OthersMessages();
  readonly #lastGood = new LastGood();

  constructor(redact: Redactor) {
    this.#secrets = new Secrets(redact);
  }

  /** @throws CmError `pi/prompt-mismatch` where prompt and branch do not belong together */
  of(prompt: RenderedPrompt, items: readonly BranchItem[]): PiMessage[] {
    this.#pictures.learn(items);
    const context = { items, pictures: this.#pictures, secrets: this.#secrets };
    const made = this.#spares.take(prompt, context);
    this.#lastGood.keep(() => outgoing(prompt, context), items);
    return made;
  }

  /** Of Pi's messages those that other extensions put in before us. */
  othersIn(messages: readonly PiMessage[], items: readonly BranchItem[]): readonly PiMessage[] {
    return this.#others.among(messages, items);
  }

  /** Where session or store fail: never the raw history. */
  withoutSession(items: readonly BranchItem[]): PiMessage[] {
    return this.#lastGood.promptFor(items);
  }

  /** Time for what the next request will want. */
  prepare(): void {
    this.#spares.prepare();
  }
}

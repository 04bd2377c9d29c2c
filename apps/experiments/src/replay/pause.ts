import { setImmediate } from "node:timers/promises";
import { CmError } from "@cm/object-model";

/** Time between two breaths of a replay, in milliseconds. */
const breathMs = 40;

/**
 * Lets the terminal and signals have their turn: a replay into an embedded store never waits for anything, so Ctrl-C
 * and the progress bar would not be heard. After Ctrl-C the replay ends with an error, and everything is cleaned up on
 * the way out.
 */
export class Pause {
  #interrupted = false;
  #last = performance.now();
  readonly #onSignal = (): void => {
    this.#interrupted = true;
  };

  constructor() {
    process.on("SIGINT", this.#onSignal);
    process.on("SIGTERM", this.#onSignal);
  }

  /** @throws CmError `replay/interrupted` */
  async after(work: () => void): Promise<void> {
    work();
    if (performance.now() - this.#last >= breathMs) {
      await setImmediate();
      this.#last = performance.now();
    }
    if (this.#interrupted) throw new CmError("replay/interrupted", "Interrupted; nothing was kept.");
  }

  end(): void {
    process.off("SIGINT", this.#onSignal);
    process.off("SIGTERM", this.#onSignal);
  }
}

import type { PiMessage } from "../pi/pi-types.ts";
import { providerLimits } from "./limits.ts";
import { type ExpectedPrompt, expectedOf, payloadShowsOurPrompt } from "./payload-shows.ts";

/** Notices where another extension changes the prompt behind us, in the first requests of a session. Never throws. */
export class PromptWatch {
  #looks = 0;
  #expected: ExpectedPrompt | undefined;

  /** These messages were handed to Pi, or none: a prompt of before may have gone out in no request. */
  handed(messages: readonly PiMessage[] | undefined): void {
    try {
      const isLookedAt = messages !== undefined && this.#looks < providerLimits.looksMax;
      this.#expected = isLookedAt ? expectedOf(messages) : undefined;
    } catch {
      // Messages of others may have any shape; a warning is not worth a request.
      this.#expected = undefined;
    }
  }

  /** Whether a request shows something else. Requests for summaries come without messages of ours, and say nothing. */
  isChanged(payload: unknown): boolean {
    const expected = this.#expected;
    if (expected === undefined) return false;
    this.#expected = undefined;
    this.#looks += 1;
    try {
      return !payloadShowsOurPrompt(payload, expected);
    } catch {
      return false;
    }
  }
}

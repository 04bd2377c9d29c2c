import { defined, type S3Binding, type Tracked, type TrackingState, watchedState } from "@cm/object-model";
import type { S3Reason } from "../client/reason.ts";
import type { Look } from "../observe/look.ts";

/** One object that a tracker follows, as far as it knows it. */
export class Followed {
  readonly binding: S3Binding;
  /** Within the bound; what is beyond it is listed and never looked at. */
  readonly isCounted: boolean;
  #state: TrackingState = "unchecked";
  #reason: S3Reason | undefined;
  /** The ETag of the last look, "" for absent; undefined before the first one. */
  #seen: string | undefined;

  constructor(binding: S3Binding, isCounted = true) {
    this.binding = binding;
    this.isCounted = isCounted;
  }

  /**
   * Records an observation. True if a new observation is needed: the object changed, appeared, disappeared, or is
   * reachable again.
   */
  take(look: Look): boolean {
    if (look.kind === "unreachable") {
      this.orphan(look.reason);
      return false;
    }
    const seen = look.kind === "there" ? look.sourceHash : "";
    const again = this.#state === "orphaned";
    const changed = this.#seen !== undefined && this.#seen !== seen;
    this.#state = watchedState(this.#state);
    this.#reason = undefined;
    this.#seen = seen;
    return again || changed;
  }

  orphan(reason: S3Reason): void {
    this.#state = "orphaned";
    this.#reason = reason;
  }

  get tracked(): Tracked<S3Binding> {
    const { binding } = this;
    return { binding, state: this.#state, ...defined({ reason: this.#reason }) };
  }
}

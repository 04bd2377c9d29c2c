// The form that a policy fills in. A test of a policy needs a `PolicyFactory` and nothing else.
import type { ContextPolicy, Renderer } from "@cm/context-log";

/**
 * What not every policy does, and does right where it does it.
 *
 * - `cost`: from the 25th request on never dearer than the plain log by more than 2 %, and before it by the carrying
 *   of eight calls beside that (SSOT 4.4 (6)).
 * - `dismissal`: what the agent dismissed is gone once everything is written anew anyway (SSOT 4.4 (7)).
 * - `folds`: it folds at a price, too, and then takes what the agent dismissed (SSOT 4.4 (7)).
 * - `requests`: what the agent asks for stands in the next prompt.
 * - `window`: the messages weigh at most `view.window.bytesMax` (SSOT 4.4 (10)).
 */
export type PolicyPromise = "cost" | "dismissal" | "folds" | "requests" | "window";

/** A policy with the renderer that it was made for. Both are pure: one pair may serve all cases. */
export interface PolicySubject {
  readonly policy: ContextPolicy;
  readonly renderer: Renderer;
  readonly promises: readonly PolicyPromise[];
}

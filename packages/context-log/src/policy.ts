import type { Prices } from "./prices.ts";
import type { ContextView, PromptDecision, RenderedPrompt } from "./view.ts";

/**
 * "policy/1", pure: what stands in the next prompt, and in which form. The same view and prices give the same
 * decision, so that a session can be replayed. Ids and parts it names are in the view; others are refused.
 */
export interface ContextPolicy {
  readonly contract: "policy/1";
  readonly name: string;
  decide(view: ContextView, prices: Prices): PromptDecision;
}

/**
 * "renderer/1", pure: the same view and decision give the same bytes; no clock, no counter, no order of a map.
 * `residency` says what the active set means under this layout. `sets`: membership decides what is shown (SSOT 3.3).
 * `rendered`: the set follows what stands in full after the decision (SSOT 3.3).
 */
export interface Renderer {
  readonly contract: "renderer/1";
  /** Name and version. A change of bytes for any view is a new version; old ones stay to rebuild old prompts. */
  readonly layout: string;
  readonly residency: "sets" | "rendered";
  /** What the decision omits has left the view already. */
  render(view: ContextView, decision: Omit<PromptDecision, "omit">): RenderedPrompt;
}

/** A policy with the renderer that it was made for: what stands in a prompt, and how it is written. */
export interface Layout {
  readonly policy: ContextPolicy;
  readonly renderer: Renderer;
}

import { viewAfterOmission } from "../omitted-entries.ts";
import type { ContextPolicy, Renderer } from "../policy.ts";
import type { Prices } from "../prices.ts";
import type { ContextView, PromptDecision, RenderedPrompt } from "../view.ts";
import type { AssembledRequest } from "./assembled-request.ts";
import { withoutUnseenClaims } from "./claims-of-files.ts";
import { checkDecision } from "./decision.ts";
import { markedPrompt } from "./marked-prompt.ts";
import { promptBytes } from "./prompt-sum.ts";
import { withinWindow } from "./window.ts";

export interface RequestMakers {
  readonly policy: ContextPolicy;
  readonly renderer: Renderer;
  readonly prices: Prices;
  /** Whether a file cannot be looked at now. Default: all can. */
  readonly isUnreachable?: (file: string) => boolean;
}

/**
 * A request as policy, renderer and prices make it of a view.
 * @throws CmError `session/invalid-decision`, `session/window-exceeded`
 */
export function madeRequest(
  view: ContextView,
  { policy, renderer, prices, isUnreachable = () => false }: RequestMakers,
  atMs: number,
): Omit<AssembledRequest, "hash" | "basis" | "changesBefore"> {
  const decision = withoutUnseenClaims(view, checkDecision(view, policy.decide(view, prices)), isUnreachable);
  const marked = markedPrompt(withinWindow(view, rendered(renderer, view, decision)), view.sent, prices);
  // The time is recorded if the price depends on the session's idle time.
  const askedAtMs = prices.lifetimeMs === undefined ? undefined : atMs;
  const { foldToBytes, dialogueToBytes } = view;
  const bytesMax = view.window?.bytesMax;
  return { ...marked, bytesMax, foldToBytes, dialogueToBytes, cache: view.cache, decision, madeAtMs: atMs, askedAtMs };
}

/** What the messages of such a request weigh in bytes, whatever its window. @throws CmError `session/invalid-decision` */
export function weighedRequest(view: ContextView, { policy, renderer, prices }: RequestMakers): number {
  const decision = checkDecision(view, policy.decide(view, prices));
  return promptBytes.over(rendered(renderer, view, decision), view.sent);
}

/** A decision's prompt: what it omits has left the view that a renderer sees. */
export function rendered(renderer: Renderer, view: ContextView, decision: PromptDecision): RenderedPrompt {
  const left = viewAfterOmission(view, decision);
  return renderer.render(left.view, left.decision);
}

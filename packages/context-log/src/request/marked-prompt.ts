import type { DocumentOf } from "@cm/object-model";
import { breakpointsOf, servedPrefix } from "../breakpoints.ts";
import type { Prices } from "../prices.ts";
import type { RenderedPrompt } from "../view.ts";

export interface MarkedPrompt {
  readonly prompt: RenderedPrompt;
  /** Characters that the cache can serve; undefined where that is all that was kept. */
  readonly servedChars: number | undefined;
}

/** Renderers know no prices: where a request asks for caching is added to what they made. */
export function markedPrompt(prompt: RenderedPrompt, sent: RenderedPrompt | undefined, prices: Prices): MarkedPrompt {
  const breakpoints = breakpointsOf(prompt, sent, prices);
  if (breakpoints === undefined) return { prompt, servedChars: undefined };
  const marked = { ...prompt, breakpoints };
  return { prompt: marked, servedChars: servedPrefix(marked, sent, prices)?.chars ?? 0 };
}

/** A prompt that was rendered once more, with the marks that its step recorded: the prices may be others by now. */
export function asRecorded(prompt: RenderedPrompt, step: DocumentOf<"step"> | undefined): RenderedPrompt {
  return step?.breakpoints === undefined ? prompt : { ...prompt, breakpoints: step.breakpoints };
}

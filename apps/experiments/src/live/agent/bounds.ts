import type { RenderedPrompt, Usage } from "@cm/context-log";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { limits } from "../limits.ts";
import { inputOf } from "./usage.ts";

/** `answered`: the model called no further tool, and there is no further prompt. The others are limits of the run. */
export type AgentEnd = "answered" | "steps" | "tokens" | "time" | "window";

/** The bound of a run that was met, if any. */
export function boundMet(
  { requests, tokens }: { readonly requests: number; readonly tokens: Usage },
  { ms, stepsMax = limits.stepsMax }: { readonly ms: number; readonly stepsMax: number | undefined },
): AgentEnd | undefined {
  if (requests >= stepsMax) return "steps";
  if (inputOf(tokens) + tokens.output > limits.tokensMax) return "tokens";
  return ms > limits.taskMs ? "time" : undefined;
}

/** The request before: its input as the provider counted it. */
export interface SentSize {
  readonly tokens: number;
  readonly chars: number;
}

/** A policy may not heed the window: then the run ends before the endpoint refuses the request. */
export function isAbove(
  { chars }: RenderedPrompt,
  before: SentSize | undefined,
  { windowTokens }: Pick<Endpoint, "windowTokens">,
): boolean {
  if (windowTokens === undefined || before === undefined || before.chars === 0) return false;
  return (before.tokens * chars) / before.chars > windowTokens - answerTokens(windowTokens);
}

/** The maximum tokens of an answer; fewer in a small window. */
export const answerTokens = (windowTokens = Number.POSITIVE_INFINITY): number =>
  Math.min(limits.outputTokensMax, Math.floor(windowTokens * limits.answerShareMax));

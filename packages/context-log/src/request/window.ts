import { logError } from "../errors.ts";
import type { WindowBound } from "../harness.ts";
import { limits } from "../limits.ts";
import type { LogState } from "../state/log-state.ts";
import type { ContextView, RenderedPrompt } from "../view.ts";
import { bytesBesideChars, promptBytes } from "./prompt-sum.ts";

type Weighed = Pick<LogState, "counted" | "ledger" | "sent">;

/**
 * What the messages of the next request may weigh as UTF-8. A bound in tokens becomes one in bytes by what the provider
 * counted of the newest requests, the worst of them; before there is such, by an estimate. Both carry a margin, so that
 * text which is denser than what was sent so far still fits. Only `bytesMax` is a promise.
 */
export function windowOf(
  state: Weighed,
  systemPrompt: string,
  bound: WindowBound | undefined,
): ContextView["window"] | undefined {
  const { tokensMax, answerTokens, bytesMax } = bound ?? {};
  if (tokensMax === undefined) return bytesMax === undefined ? undefined : { bytesMax };
  const share = Math.floor((tokensMax * limits.answerPercent) / 100);
  const inputTokens = Math.max(0, tokensMax - (answerTokens ?? Math.min(limits.answerTokens, share)));
  const headBytes = Math.max(state.ledger.headChars, Buffer.byteLength(systemPrompt));
  const byTokens = Math.max(0, Math.floor(bytesPerToken(state) * inputTokens) - headBytes);
  return { bytesMax: Math.min(byTokens, bytesMax ?? byTokens) };
}

/** @throws CmError `session/window-exceeded` where a prompt weighs more than its view allows */
export function withinWindow(
  { window, sent }: Pick<ContextView, "window" | "sent">,
  prompt: RenderedPrompt,
): RenderedPrompt {
  if (window === undefined) return prompt;
  const bytes = promptBytes.over(prompt, sent);
  // Added up now, while the prompt before is at hand: the next request's bound asks for it.
  bytesBesideChars.over(prompt, sent);
  const { bytesMax } = window;
  if (bytes <= bytesMax) return prompt;
  throw logError(
    "session/window-exceeded",
    `The messages weigh ${bytes} bytes and the window has room for ${bytesMax}: what may not be left out is too much. ` +
      "Go on with a shorter message, which lets the newest calls leave as well, or give a larger window.",
    { bytes, bytesMax },
  );
}

/** Tokens are counted of everything, characters of text and arguments alone: that leaves room for thinking. */
function bytesPerToken({ counted, sent }: Weighed): number {
  const estimated = (bytes: number, marginPercent: number): number => (bytes * (100 - marginPercent)) / 100;
  if (counted.length === 0) return estimated(limits.bytesPerToken, limits.estimateMarginPercent);
  const charsPerToken = Math.min(...counted.map(({ chars, tokens }) => chars / tokens));
  const bytes = charsPerToken * bytesPerChar(sent);
  return estimated(Math.min(bytes, limits.bytesPerTokenMax), limits.countedMarginPercent);
}

/** Of the prompt that was sent last: text in other scripts weighs up to three bytes a character. */
function bytesPerChar(sent: RenderedPrompt | undefined): number {
  return sent === undefined || sent.chars === 0 ? 1 : 1 + bytesBesideChars.over(sent) / sent.chars;
}

import type { SessionBeforeCompactEvent } from "@earendil-works/pi-coding-agent";
import type { ExtensionContext, PiAssistant } from "../pi/pi-types.ts";
import { compactionLimits } from "./limits.ts";
import { withoutKept } from "./summary-text.ts";

/** What came of asking a model: its text and what that cost, or why there is none. */
export type AskedSummary =
  | { readonly kind: "summary"; readonly text: string; readonly usage: PiAssistant["usage"] }
  | { readonly kind: "failed"; readonly reason: string };

type Asked = Pick<SessionBeforeCompactEvent, "preparation" | "customInstructions" | "signal">;
type Asker = Pick<ExtensionContext, "model" | "modelRegistry" | "thinkingLevel">;

/**
 * Pi's own summary, by Pi's own prompt and code, of all that Pi would leave out: one request to the session's model, sent
 * as Pi sends its own, whoever provides the model. Pi asks twice where it cuts within a turn; a person who reads the
 * entry wants one text. Never throws; a request that does not end is given up.
 */
export async function askForSummary(
  { preparation, customInstructions, signal }: Asked,
  { model, modelRegistry, thinkingLevel }: Asker,
): Promise<AskedSummary> {
  if (model === undefined) return { kind: "failed", reason: "no model is selected" };
  const { messagesToSummarize, turnPrefixMessages, settings, previousSummary } = preparation;
  try {
    // At load it would cost every start of Pi; and without Pi the package is loaded, too.
    const { generateSummaryWithUsage } = await import("@earendil-works/pi-coding-agent");
    const { text, usage } = await generateSummaryWithUsage(
      [...messagesToSummarize, ...turnPrefixMessages],
      model,
      settings.reserveTokens,
      // Keys and headers are found when the request is sent.
      ...([undefined, undefined] as const),
      AbortSignal.any([signal, AbortSignal.timeout(compactionLimits.summaryMs)]),
      customInstructions,
      previousSummary === undefined ? undefined : withoutKept(previousSummary),
      thinkingLevel,
      (asked, context, options) => modelRegistry.streamSimple(asked, context, options),
    );
    return text.trim() === "" ? { kind: "failed", reason: "it answered nothing" } : { kind: "summary", text, usage };
  } catch (error) {
    return { kind: "failed", reason: error instanceof Error ? error.message : String(error) };
  }
}

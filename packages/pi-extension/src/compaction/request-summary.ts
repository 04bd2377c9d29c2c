import { randomUUID } from "node:crypto";
import type { SessionBeforeCompactEvent } from "@earendil-works/pi-coding-agent";
import { withoutKept } from "../branch/kept-mark.ts";
import type { ExtensionContext, PiAssistant, PiModel } from "../pi/pi-types.ts";
import { conversationText } from "./conversation-text.ts";
import { compactionLimits as limits } from "./limits.ts";
import { summaryPrompt, summarySystemPrompt } from "./summary-request.ts";

/** What came of asking a model: its text and what that cost, or why there is none. */
export type AskedSummary =
  | { readonly kind: "summary"; readonly text: string; readonly usage: PiAssistant["usage"] }
  | { readonly kind: "failed"; readonly reason: string };

type Asked = Pick<SessionBeforeCompactEvent, "preparation" | "customInstructions" | "signal">;
type Asker = Pick<ExtensionContext, "model" | "modelRegistry" | "thinkingLevel">;

/**
 * Asks the session's model to sum up all that Pi would leave out: one request, sent by Pi as it sends its own, whatever
 * extension provides the model. Never throws; a request that does not end is given up.
 */
export async function requestSummary(
  event: Asked,
  { model, modelRegistry, thinkingLevel }: Asker,
): Promise<AskedSummary> {
  if (model === undefined) return failed("no model is selected");
  try {
    const messages = [{ role: "user" as const, content: promptOf(event, model), timestamp: Date.now() }];
    const { stopReason, errorMessage, content, usage } = await modelRegistry
      .streamSimple(
        model,
        { systemPrompt: summarySystemPrompt, messages },
        {
          maxTokens: answerTokens(event, model),
          signal: AbortSignal.any([event.signal, AbortSignal.timeout(limits.summaryMs)]),
          // No later request has this prompt.
          cacheRetention: "none",
          sessionId: randomUUID(),
          ...(model.reasoning && thinkingLevel && thinkingLevel !== "off" ? { reasoning: thinkingLevel } : {}),
        },
      )
      .result();
    if (stopReason !== "stop") return failed(errorMessage ?? `it ended with "${stopReason}"`);
    const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
    return text.trim() === "" ? failed("it answered nothing") : { kind: "summary", text, usage };
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

function promptOf(event: Asked, model: PiModel): string {
  const { messagesToSummarize, turnPrefixMessages, previousSummary } = event.preparation;
  const roomTokens = model.contextWindow - answerTokens(event, model);
  const previous = previousSummary === undefined ? undefined : withoutKept(previousSummary);
  const roomChars = Math.max(roomTokens * limits.charsPerSummedToken, limits.conversationCharsMin);
  return summaryPrompt({
    conversation: conversationText(
      [...messagesToSummarize, ...turnPrefixMessages],
      Math.max(limits.conversationCharsMin, roomChars - (previous?.length ?? 0)),
    ),
    previousSummary: previous,
    instructions: event.customInstructions,
  });
}

/** As Pi has it: what its settings keep free is room for a summary, too. */
function answerTokens({ preparation }: Asked, { maxTokens }: PiModel): number {
  const room = Math.floor((preparation.settings.reserveTokens * limits.summaryPercent) / 100);
  return maxTokens > 0 ? Math.min(room, maxTokens) : room;
}

const failed = (reason: string): AskedSummary => ({ kind: "failed", reason });

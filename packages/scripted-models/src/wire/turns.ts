import type { PromptMessage, RenderedPrompt } from "@cm/context-log";
import { wireError } from "./wire-error.ts";

/** An answer of the model, and what came between it and the next: its calls' results first, as both protocols want. */
export interface Turn {
  /** Absent before the first answer. */
  readonly answer: PromptMessage | undefined;
  readonly results: readonly PromptMessage[];
  readonly said: readonly PromptMessage[];
}

/** @throws CmError `live/broken-pairs` where a call has not exactly one result before the next answer */
export function turnsOf({ messages }: RenderedPrompt): readonly Turn[] {
  const turns: { answer: PromptMessage | undefined; results: PromptMessage[]; said: PromptMessage[] }[] = [
    { answer: undefined, results: [], said: [] },
  ];
  for (const message of messages) {
    if (message.role === "assistant") turns.push({ answer: message, results: [], said: [] });
    else turns.at(-1)?.[message.role === "tool" ? "results" : "said"].push(message);
  }
  for (const turn of turns) checkPairs(turn);
  return turns;
}

function checkPairs({ answer, results }: Turn): void {
  const open = new Set(answer?.calls?.map(({ callId }) => callId));
  for (const { callId = "" } of results) if (!open.delete(callId)) throw broken(callId, "result has no call");
  for (const callId of open) throw broken(callId, "call has no result");
}

function broken(callId: string, what: string) {
  return wireError("live/broken-pairs", `In a prompt a ${what}; this is a fault of the layout.`, { callId });
}

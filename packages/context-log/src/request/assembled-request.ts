import type { Basis, SetChanges } from "@cm/object-model";
import type { ContextView, PromptDecision, RenderedPrompt } from "../view.ts";

/** A request as it was assembled: what its step will say about it. */
export interface AssembledRequest {
  readonly cache: ContextView["cache"];
  readonly decision: PromptDecision;
  readonly prompt: RenderedPrompt;
  /** What its messages were allowed to weigh. */
  readonly bytesMax: number | undefined;
  /** What they were to weigh if folding could do it. */
  readonly foldToBytes: number | undefined;
  readonly dialogueToBytes: number | undefined;
  readonly hash: string;
  /** What the cache can serve of it, where that is not all that was kept. */
  readonly servedChars: number | undefined;
  readonly madeAtMs: number;
  /** Time of the newest call that returned it, in milliseconds since the epoch; undefined if no price depends on it. */
  readonly askedAtMs: number | undefined;
  readonly basis: Basis;
  readonly changesBefore: SetChanges;
}

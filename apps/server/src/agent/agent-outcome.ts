import type { Basis, StepAddress } from "@cm/object-model";
import type { ModelUsage } from "./run-usage.ts";

/** A call whose result this server cannot make: of a tool without a body, or one that a person must approve. */
export interface AwaitedCall {
  readonly callId: string;
  readonly tool: string;
  readonly kind: "call" | "approval";
}

/** What was said from outside to a call that an earlier run left open; `automatic`: it had no answer. */
export type SettledCall = { readonly callId: string; readonly automatic?: boolean } & (
  | { readonly kind: "approval"; readonly approved: boolean; readonly reason: string | null }
  | { readonly kind: "call"; readonly failed: boolean; readonly text: string }
);

/** How a run came to its end. `budget`: with what it had when its bound was met. */
export type AgentEnd = "answered" | "awaiting" | "interrupted" | "budget" | "failed";

export interface AgentOutcome {
  readonly end: AgentEnd;
  /** The newest step that this run wrote, with the store's basis of it. */
  readonly last: { readonly address: StepAddress; readonly basis: Basis } | undefined;
  /** The model's last words. */
  readonly text: string;
  readonly usage: readonly ModelUsage[];
  readonly awaited: readonly AwaitedCall[];
  /** Of a failed run: why, in one sentence. */
  readonly reason?: string;
  /** What was thrown, for the server's log. */
  readonly fault?: unknown;
}

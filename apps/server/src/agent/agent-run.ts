import type { Basis, ObjectStore, StepAddress } from "@cm/object-model";
import type { Session } from "@cm/session";
import type { AgentEvent, AgentTool, StreamFn, ThinkingLevel } from "@earendil-works/pi-agent-core";
import type { Api, Model } from "@earendil-works/pi-ai";
import type { CallChecks, CheckedRun } from "./call-checks.ts";
import type { Inbox, InboxMessage } from "./inbox.ts";
import type { ModelUsage } from "./run-usage.ts";
import type { BindAll } from "./touched-files.ts";

/** The model of a run, and what asks it. */
export interface AskedModel {
  readonly model: Model<Api>;
  readonly stream: StreamFn;
  /** Default: none. */
  readonly thinking?: Exclude<ThinkingLevel, "off">;
}

/** What a run may use up; it ends with what it has. */
export interface RunBudget {
  readonly stepsMax: number;
  readonly tokensMax?: number | undefined;
  readonly ms: number;
}

/** A call whose result this server cannot make: of a tool without a body, or one that a person must approve. */
export interface AwaitedCall {
  readonly callId: string;
  readonly tool: string;
  readonly kind: "call" | "approval";
}

/** What was said from outside to a call that an earlier run left open. */
export type SettledCall =
  | { readonly callId: string; readonly kind: "approval"; readonly approved: boolean; readonly reason: string | null }
  | { readonly callId: string; readonly kind: "call"; readonly failed: boolean; readonly text: string };

/** What one run of the agent is made of. */
export interface AgentRunOptions {
  readonly run: CheckedRun;
  readonly store: ObjectStore;
  readonly session: Session;
  readonly asked: AskedModel;
  readonly tools: readonly AgentTool[];
  /** Names of those among them that have no body. */
  readonly deferred: ReadonlySet<string>;
  readonly checks: readonly CallChecks[];
  /** The folder of relative paths. */
  readonly cwd: string;
  readonly bindAll: BindAll;
  readonly budget: RunBudget;
  readonly input: readonly InboxMessage[];
  /** Calls that an earlier run left open: the first request has a result of each. */
  readonly settled: readonly SettledCall[];
  readonly inbox: Inbox;
  readonly signal: AbortSignal;
  /** Called one after the other. */
  readonly onEvent: (event: RunEvent) => void;
  readonly now?: () => number;
}

/** What happens in a run, for those who show it: the agent's own events, and what only we know. */
export type RunEvent =
  | { readonly from: "agent"; readonly event: AgentEvent }
  | { readonly from: "step"; readonly address: StepAddress; readonly usage: readonly ModelUsage[] }
  | { readonly from: "inbox"; readonly message: Pick<InboxMessage, "id"> }
  | { readonly from: "awaited"; readonly call: AwaitedCall }
  | { readonly from: "settled"; readonly callId: string; readonly text: string };

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

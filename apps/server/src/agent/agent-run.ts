import type { CallChain, JsonObject, ObjectStore, StepAddress } from "@cm/object-model";
import type { Session } from "@cm/session";
import type { AgentEvent, AgentTool, StreamFn, ThinkingLevel } from "@earendil-works/pi-agent-core";
import type { Api, Model } from "@earendil-works/pi-ai";
import type { AwaitedCall, SettledCall } from "./agent-outcome.ts";
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
  /** Of a governed run: where it is. */
  readonly chain?: (() => CallChain) | undefined;
  /** An answer that its length cut off is gone on with. Default: it is the last. */
  readonly goesOnWhereCut?: boolean;
  /** What an answer said that was broken off is thrown away. Default: its words are kept. */
  readonly dropsBroken?: boolean;
}

/** What happens in a run, for those who show it: the agent's own events, and what only we know. */
export type RunEvent =
  | { readonly from: "agent"; readonly event: AgentEvent }
  | { readonly from: "step"; readonly address: StepAddress; readonly usage: readonly ModelUsage[] }
  | { readonly from: "inbox"; readonly message: Pick<InboxMessage, "id"> }
  | { readonly from: "awaited"; readonly call: AwaitedCall; readonly args: JsonObject }
  | ({ readonly from: "settled"; readonly text: string } & EndedCall);

/** A call of an earlier run that is over now. */
export interface EndedCall {
  readonly callId: string;
  readonly tool: string;
  readonly args: JsonObject;
  readonly status: "ok" | "failed" | "denied";
}

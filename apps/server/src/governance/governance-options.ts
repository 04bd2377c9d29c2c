import type { ApprovalClock, ApprovalMode } from "@cm/governance";
import type { ObjectStore } from "@cm/object-model";
import type { NetworkCut } from "./network-cut.ts";
import type { Retention } from "./retention.ts";
import type { Telemetry } from "./telemetry-queue.ts";

/** For whom a bundle is asked. */
export interface BundleRequest {
  readonly sessionId: string;
  readonly tenantId: string;
  readonly userId: string;
  readonly preset: string;
}

/** Where bundles come from. Asked when a session begins, when it is resumed, and when a server finds it in the records. */
export interface PolicySource {
  /** What it gives is held against the schema, the session and the clock. What it throws refuses the session. */
  bundleFor(session: BundleRequest): unknown;
  /** What is switched on for the session, by name. Default, and where it fails: nothing. */
  flagsFor?(session: BundleRequest): unknown;
}

/** What a task may, beside its session's bundle. */
export interface TaskSetting {
  /** 1 to 200. */
  readonly maxSteps: number;
  readonly allowNetwork: boolean;
  readonly approvalMode: ApprovalMode;
}

export interface GovernanceOptions {
  readonly policy: PolicySource;
  /** For workspaces, sessions, tasks, histories, approvals and the audit. Default: the server's store. */
  readonly records?: ObjectStore;
  /** Default: `local`. */
  readonly tenantId?: string;
  /** Of requests that say nothing of them. Default: 50 steps, no network, approval of what is of high risk. */
  readonly taskDefaults?: Partial<TaskSetting> | undefined;
  readonly clock?: ApprovalClock;
  readonly newId?: () => string;
  /**
   * A folder of this store alone, in which what is said lies until the store has it: a server that was killed has then lost
   * nothing of its audit. Default: none, and a kill loses what was said in its last moment.
   */
  readonly spool?: string | undefined;
  readonly retention?: Retention | undefined;
  /** Told of every event, without anything that a user or a model said. It may take its time: no step waits for it. */
  readonly telemetry?: Telemetry;
  /** How commands are cut off from the network. Default: what this machine has. */
  readonly networkCut?: () => Promise<NetworkCut | undefined>;
}

export const taskDefaults: TaskSetting = { maxSteps: 50, allowNetwork: false, approvalMode: "on_risky_actions" };

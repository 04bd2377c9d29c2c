import type { ObjectStore, StepAddress } from "@cm/object-model";
import type { SettledCall } from "../agent/agent-outcome.ts";
import type { CallChecks } from "../agent/call-checks.ts";
import type { InboxMessage } from "../agent/inbox.ts";
import type { Governance } from "../governance/governance.ts";
import type { Preset } from "../presets/preset-schema.ts";
import type { DelegateHost } from "../tools/delegate-host.ts";

/** What the server gives every run. */
export interface RunSurroundings {
  readonly store: ObjectStore;
  readonly env: NodeJS.ProcessEnv;
  /** As the session's lease names this server. */
  readonly owner: string;
  /** Rules beside those of presets. */
  readonly checks: readonly CallChecks[];
  /** Undefined: runs are not governed. */
  readonly governance?: Governance | undefined;
}

/** One run, as its records say it is to be. */
export interface RunPlan {
  readonly presetName: string;
  readonly preset: Preset;
  readonly folders: readonly string[];
  readonly from: StartingPoint;
  readonly input: readonly InboxMessage[];
  /** The input was told to a run that was interrupted: where the session has it, it is not said again. */
  readonly repeats?: boolean;
  readonly settled: readonly SettledCall[];
  /** Undefined where its agent may begin no subagents. */
  readonly delegates: DelegateHost | undefined;
}

/** Where a run's session goes on: nowhere, at a step of its own session, or at a step of any session as a new one. */
export type StartingPoint =
  | { readonly kind: "root"; readonly session: string }
  | { readonly kind: "continue"; readonly at: StepAddress }
  | { readonly kind: "fork"; readonly at: StepAddress; readonly session: string };

import type { ContextPolicy, Layout, Renderer } from "@cm/context-log";
import type { Recording } from "@cm/recordings";

/** A policy that a replay can be asked for by name, with the layout that it was made for. */
export interface NamedPolicy {
  /** Its description in one sentence, for tables and reports. */
  readonly describe: string;
  readonly renderer: Renderer;
  /** A new policy for one replay. All but those that know the future ignore what they are given. */
  policyFor(recording: Recording): ContextPolicy;
}

/** A policy that is the same for every recording. */
export function fixedPolicy({ policy, renderer }: Layout, describe: string): NamedPolicy {
  return { describe, renderer, policyFor: () => policy };
}

export function layoutFor({ policyFor, renderer }: NamedPolicy, recording: Recording): Layout {
  return { policy: policyFor(recording), renderer };
}

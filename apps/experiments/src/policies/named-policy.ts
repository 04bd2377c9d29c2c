import type { ContextPolicy, Renderer } from "@cm/object-model";
import type { LayoutPreset } from "@cm/render";
import type { Recording } from "../recordings/recording.ts";

/** A policy that a replay can be asked for by name, with the layout that it was made for. */
export interface NamedPolicy {
  /** What it does, in one sentence, for tables and reports. */
  readonly describe: string;
  readonly renderer: Renderer;
  /** A new policy for one replay. All but those that know the future ignore what they are given. */
  policyFor(recording: Recording): ContextPolicy;
}

/** A policy that is the same for every recording. */
export function fixedPolicy({ policy, renderer }: LayoutPreset, describe: string): NamedPolicy {
  return { describe, renderer, policyFor: () => policy };
}

export function presetFor({ policyFor, renderer }: NamedPolicy, recording: Recording): LayoutPreset {
  return { policy: policyFor(recording), renderer };
}

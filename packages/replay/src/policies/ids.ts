import { ssotAliasLayout, ssotLayout } from "@cm/render";
import type { NamedPolicy } from "./named-policy.ts";

/** How layout `ssot` names objects: by their ids, as SSOT 4.1 has it, or by the session's short names. */
export const idChoices = ["full", "alias"] as const;
export type IdChoice = (typeof idChoices)[number];

/** The policy under the layout that names objects so. Other layouts have names of their own. */
export function withIds(policy: NamedPolicy, ids: IdChoice = "full"): NamedPolicy {
  return ids === "alias" && policy.renderer === ssotLayout ? { ...policy, renderer: ssotAliasLayout } : policy;
}

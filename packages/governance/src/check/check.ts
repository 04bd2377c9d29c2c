import { defined } from "@cm/object-model";
import { type Action, riskOf } from "./action.ts";
import type { CompiledBundle } from "./compile.ts";
import { allowed, denied, type Verdict } from "./verdict.ts";

/** When a person is asked: for everything, for what is of high risk, or for what the bundle says alone. */
export type ApprovalMode = "always" | "on_risky_actions" | "never";

/** What a task adds to the bundle. It may allow less, and never more. */
export interface TaskPolicy {
  readonly allowNetwork: boolean;
  readonly approvalMode: ApprovalMode;
}

/**
 * Whether an action may be done, in the order expiry, granted, scope, approval. Pure but for `resolvePath` of the bundle.
 * Asked before each call of a model and of a tool.
 * @param now milliseconds since the epoch
 */
export function check(policy: CompiledBundle, action: Action, now: number, task?: TaskPolicy): Verdict {
  if (!(now < policy.expiresAt)) return denied("policy_expired");
  const grant = policy.grants.get(action.capability);
  if (grant === undefined) return denied("not_granted");
  if (task?.allowNetwork === false && action.capability === "Network.Http") return denied("network_not_allowed");
  for (const rule of grant.scope) {
    const reason = rule(action);
    if (reason !== undefined) return denied(reason);
  }
  const risk = riskOf(action.capability);
  if (!grant.requiresApproval && !isAskedBy(task, action, risk)) return allowed;
  return { outcome: "asks", risk, ...defined({ rule: grant.rule }) };
}

/** A task's mode is about tools: its model is called in any case. */
function isAskedBy(task: TaskPolicy | undefined, { capability }: Action, risk: string): boolean {
  if (task === undefined || capability === "LLM.Call") return false;
  return task.approvalMode === "always" || (task.approvalMode === "on_risky_actions" && risk === "high");
}

import type { ApprovalRule } from "../bundle/policy-bundle.ts";
import type { RiskLevel } from "./action.ts";

/** Why an action is denied, in words that never name what was asked for. */
const denials = {
  policy_expired: "The session's policy has expired; resume the session for another.",
  not_granted: "The session's policy does not grant this.",
  network_not_allowed: "The task does not allow the network.",
  scope_unknown: "The policy has a rule for something that the request does not say.",
  path_not_understood: "The path is not absolute, or cannot be resolved; name a path that can.",
  path_blocked: "The policy blocks this path.",
  path_not_allowed: "The path is outside of what the policy allows.",
  command_not_understood:
    "The command cannot be held against the policy's rules; write plain commands, without eval, functions, here-documents or computed names.",
  command_blocked: "The policy blocks a program that the command runs.",
  command_not_allowed: "The command runs a program that the policy does not allow.",
  url_not_understood: "The URL is no plain http, https, ws or wss URL; write it without login, and names in ASCII.",
  domain_blocked: "The policy blocks this domain.",
  domain_not_allowed: "The domain is not among those that the policy allows.",
  tool_blocked: "The policy blocks this tool.",
  tool_not_allowed: "The tool is not among those that the policy allows.",
  file_too_large: "The file is larger than the policy allows.",
  output_too_large: "The output is larger than the policy allows.",
  model_not_allowed: "The model is not among those that the policy allows.",
  input_too_long: "The request has more tokens than the policy allows.",
  output_too_long: "The request asks for more tokens than the policy allows.",
} as const;

export type DenialReason = keyof typeof denials;
export const denialReasons = Object.keys(denials) as readonly DenialReason[];

export interface Denied {
  readonly outcome: "denied";
  readonly reason: DenialReason;
  readonly message: string;
}

/** `asks`: a person must approve it first. */
export type Verdict =
  | { readonly outcome: "allowed" }
  | { readonly outcome: "asks"; readonly risk: RiskLevel; readonly rule?: ApprovalRule }
  | Denied;

export const allowed: Verdict = Object.freeze({ outcome: "allowed" });

export const denied = (reason: DenialReason): Denied => ({ outcome: "denied", reason, message: denials[reason] });

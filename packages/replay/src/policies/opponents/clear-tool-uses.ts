import type { ContextPolicy, ContextView, PromptDecision } from "@cm/context-log";
import { charsPerToken, openResults, referencesTo } from "../part-sizes.ts";
import { clearingLayout } from "./clearing-layout.ts";

export interface ClearingOptions {
  /** Input above which outputs are cleared. */
  readonly triggerTokens: number;
  /** The newest tool uses, which stay. */
  readonly keepUses: number;
  /** The minimum amount to clear; below it nothing is cleared. */
  readonly clearTokensMin: number;
}

/**
 * Vendor-style context editing (Anthropic's `clear_tool_uses_20250919`: trigger 100,000 tokens, keep 3): above the
 * trigger every output but the newest few becomes a placeholder. `clear_at_least` has no default there; 5,000 is the
 * documentation's example, and without one a prompt of dialogue above the trigger would break at every request.
 */
export function clearToolUsesPolicy(options: ClearingOptions): ContextPolicy {
  return { contract: "policy/1", name: "clear-tool-uses", decide: (view) => decide(view, options) };
}

function decide(view: ContextView, options: ClearingOptions): PromptDecision {
  const size = view.ledger.headChars + clearingLayout.render(view, {}).chars;
  if (size <= options.triggerTokens * charsPerToken) return {};
  const results = view.log.flatMap((entry) => (entry.kind === "result" ? [entry.at] : []));
  const kept = new Set(results.slice(-options.keepUses));
  const cleared = openResults(view, clearingLayout).filter(({ at }) => !kept.has(at));
  const saved = cleared.reduce((sum, { saves }) => sum + saves, 0);
  const [first] = cleared;
  if (first === undefined || saved < options.clearTokensMin * charsPerToken) return {};
  return { forms: referencesTo(cleared), fold: { cut: first.at, reason: "trigger" } };
}

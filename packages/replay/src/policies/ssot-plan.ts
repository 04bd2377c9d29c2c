import type { ContextPolicy } from "@cm/context-log";
import { layouts, logLayout } from "@cm/render";
import { fixedPolicy } from "./named-policy.ts";
import { openResults, referencesTo } from "./part-sizes.ts";

/** Only the results of the newest call stand in full; all others are references at once. */
const referencesPolicy: ContextPolicy = {
  contract: "policy/1",
  name: "references",
  decide(view) {
    const old = openResults(view, logLayout).filter(({ step }) => step < view.step);
    const [first] = old;
    return first === undefined ? {} : { forms: referencesTo(old), fold: { cut: first.at, reason: "older" } };
  },
};

/** SSOT 6, evaluation plan: no manager, store only, references, full. `plain` is the first of them. */
export const ssotPlan = {
  "store-only": fixedPolicy(
    layouts.plain,
    "Everything is recorded and the prompt stays the plain log. A replay records under every policy, so its requests are those of plain.",
  ),
  references: fixedPolicy(
    { policy: referencesPolicy, renderer: logLayout },
    "Every result older than the newest call's is a reference at once and for good, unless its text is shorter; nothing else is changed.",
  ),
  full: fixedPolicy(
    layouts.ssot,
    "The full system of SSOT 4.1, the same as ssot: pool, chat with references, active content, turn window.",
  ),
};

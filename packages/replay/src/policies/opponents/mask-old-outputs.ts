import type { ContextPolicy } from "@cm/context-log";
import { openResults, referencesTo } from "../part-sizes.ts";
import { clearingLayout } from "./clearing-layout.ts";

/** Observation masking: at each request every output older than so many calls becomes a placeholder. */
export function maskOldOutputsPolicy({ olderThanCalls }: { readonly olderThanCalls: number }): ContextPolicy {
  return {
    contract: "policy/1",
    name: "mask-old-outputs",
    decide(view) {
      const old = openResults(view, clearingLayout).filter(({ step }) => view.step - step >= olderThanCalls);
      const [first] = old;
      return first === undefined ? {} : { forms: referencesTo(old), fold: { cut: first.at, reason: "age" } };
    },
  };
}

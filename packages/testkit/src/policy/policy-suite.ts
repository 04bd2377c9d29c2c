import type { ConformanceSuite } from "../suite.ts";
import { cost } from "./laws/cost.ts";
import { decisions } from "./laws/decisions.ts";
import { forms } from "./laws/forms.ts";
import { prompts } from "./laws/prompts.ts";
import { windows } from "./laws/windows.ts";
import { wishes } from "./laws/wishes.ts";
import { type PolicyFactory, policyCase } from "./policy-case.ts";

/** The law of "policy/1", for a policy with the renderer it was made for. */
export const policySuite: ConformanceSuite<PolicyFactory> = {
  contract: "policy/1",
  cases: [...decisions, ...forms, ...prompts, ...cost, ...wishes, ...windows].map(policyCase),
};

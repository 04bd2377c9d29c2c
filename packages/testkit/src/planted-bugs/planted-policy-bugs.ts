import { bugsOfPolicyDecisions } from "./of-policy-decisions.ts";
import { bugsOfPolicyForms } from "./of-policy-forms.ts";
import { bugsOfPolicyPrompts } from "./of-policy-prompts.ts";
import { bugsOfPolicyWishes } from "./of-policy-wishes.ts";
import type { PlantedPolicyBug } from "./planted-policy-bug.ts";

/** Policies and renderers that `policySuite` must reject: they show what the suite is worth. */
export const plantedPolicyBugs: readonly PlantedPolicyBug[] = [
  ...bugsOfPolicyDecisions,
  ...bugsOfPolicyForms,
  ...bugsOfPolicyPrompts,
  ...bugsOfPolicyWishes,
];

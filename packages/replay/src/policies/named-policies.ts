import { layouts, logLayout } from "@cm/render";
import { ablations } from "./ablations.ts";
import { clairvoyantPolicy } from "./clairvoyant/clairvoyant.ts";
import { fixedPolicy, type NamedPolicy } from "./named-policy.ts";
import { opponents } from "./opponents/opponents.ts";
import { contextLogPreset } from "./presets.ts";
import { ssotPlan } from "./ssot-plan.ts";

const ours = {
  plain: fixedPolicy(layouts.plain, "The agent alone: an append-only log of all that was said, called and answered."),
  ssot: fixedPolicy(
    layouts.ssot,
    "SSOT 4.1 to the letter: pool, references and active content, rebuilt at each request.",
  ),
  log: fixedPolicy(layouts.log, "The context log as the library gives it when nothing is chosen."),
  careful: fixedPolicy(contextLogPreset("careful"), "The context log, preset careful: keeps more text, costs more."),
  default: fixedPolicy(contextLogPreset("default"), "The context log, preset default."),
  lean: fixedPolicy(contextLogPreset("lean"), "The context log, preset lean: costs less, misses more."),
};

/** What the context log could be billed if it need not guess. */
const bounds = {
  clairvoyant: {
    renderer: logLayout,
    policyFor: (recording) => clairvoyantPolicy(recording, { names: true }),
    describe:
      "The context log that knows the recording's needs and names: a text stays until the last edit that replaces a line of it, a name until the first call that writes it, and folds fall where the rest of the session makes them cheapest.",
  },
  "clairvoyant-needs": {
    renderer: logLayout,
    policyFor: (recording) => clairvoyantPolicy(recording, { names: false }),
    describe:
      "The context log that knows the recording's needs alone: as clairvoyant, but references keep names as the default keeps them.",
  },
} as const satisfies Readonly<Record<string, NamedPolicy>>;

const policies = { ...ours, ...ssotPlan, ...opponents, ...ablations, ...bounds };

export type PolicyName = keyof typeof policies;

/** Every policy that `--policy` knows, by its name. */
export const namedPolicies: Readonly<Record<PolicyName, NamedPolicy>> = policies;

export const policyNames = Object.keys(policies) as readonly PolicyName[];

/** The default policies. */
export const usualPolicies: readonly PolicyName[] = ["plain", "ssot", "log"];

const namesOf = (of: object): readonly PolicyName[] => policyNames.filter((name) => Object.hasOwn(of, name));

const synonyms: readonly PolicyName[] = ["log", "store-only", "full"];

/** Names that stand for several policies. `all` leaves out ablations, and names whose requests are another's. */
export const policyGroups: Readonly<Record<string, readonly PolicyName[]>> = {
  all: policyNames.filter((name) => !Object.hasOwn(ablations, name) && !synonyms.includes(name)),
  presets: ["careful", "default", "lean"],
  "ssot-plan": ["plain", ...namesOf(ssotPlan)],
  opponents: namesOf(opponents),
  ablations: ["default", ...namesOf(ablations)],
};

/** The policies that a name or a group's name stands for; undefined for an unknown one. */
export function policiesNamed(name: string): readonly PolicyName[] | undefined {
  if (Object.hasOwn(policyGroups, name)) return policyGroups[name];
  const known = policyNames.find((policy) => policy === name);
  return known === undefined ? undefined : [known];
}

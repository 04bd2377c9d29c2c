import {
  bareReferences,
  type ContextLogConstants,
  type ContextLogStages,
  contextLogConstants,
  contextLogPolicyOf,
  contextLogStages,
  earlierText,
  keptNames,
  logLayout,
  referencesWith,
  repeatedLines,
  sparseNumbers,
} from "@cm/render";
import { fixedCallsCuts, oldestCuts } from "./ablated-cuts.ts";
import { fixedPolicy, type NamedPolicy } from "./named-policy.ts";

/** What a policy has in place of a stage or a constant of the default, so that one idea is left out. */
export interface Ablation {
  /** What is left then. */
  readonly says: string;
  readonly stages?: Partial<ContextLogStages>;
  readonly constants?: Partial<ContextLogConstants>;
}

const { clocks } = contextLogConstants();

/** The clock of a turn holds in all later ones. */
const sameInAllTurns = Object.fromEntries(
  Object.entries(clocks).map(([name, [first]]) => [name, [first, first, first]]),
) as unknown as typeof clocks;

/** Each idea of the context log by itself (SSOT 6): what it is worth is the difference to `default`. */
export const ablated = {
  turns: { says: "a turn that begins shortens no clock", constants: { clocks: sameInAllTurns } },
  gathering: {
    says: "reads of a turn that edited nothing live no longer in the next turn than others",
    constants: { clocks: { ...clocks, gathered: clocks.waiting } },
  },
  "edited-since": {
    says: "a read whose file was edited since lives on like any other",
    constants: { clocks: { ...clocks, used: clocks.waiting } },
  },
  sparse: { says: "every line keeps its number", stages: { arrival: [earlierText, repeatedLines] } },
  "earlier-text": {
    says: "text that was shown before arrives in full again",
    stages: { arrival: [sparseNumbers, repeatedLines] },
  },
  pointers: {
    says: "lines that stand in view already arrive again",
    stages: { arrival: [earlierText, sparseNumbers] },
  },
  arguments: { says: "arguments of calls are never folded", stages: { isBound: ({ isArgs }) => isArgs } },
  "turn-arguments": {
    says: "arguments of calls stay as long as their turn lasts",
    constants: { wholeArgsSteps: Number.POSITIVE_INFINITY },
  },
  replaced: { says: "edits keep the text that they replaced", stages: { isShortened: () => false } },
  "fault-service": { says: "what an edit misses is not brought back", stages: { misses: () => [] } },
  plans: { says: "with what an edit misses no other file of its plan comes back", constants: { planCharsMax: 0 } },
  names: { says: "references keep no names", stages: { references: bareReferences } },
  lines: {
    says: "names are kept bare and not in their lines",
    stages: {
      references: referencesWith((text, { isTight: _, ...facts }) => keptNames(text, { ...facts, lines: false })),
    },
  },
  rent: {
    says: "it folds at every 11th call and not when rent exceeds the price",
    stages: { cuts: fixedCallsCuts },
  },
  credit: {
    says: "a session that has saved nothing yet waits as long for its first cuts as any other",
    constants: { creditCalls: 0 },
  },
  "further-cuts": {
    says: "where the guard refuses the best cut no other one is tried",
    constants: { cutsTried: 1 },
  },
  along: {
    says: "a fold takes along nothing that is not yet expired",
    constants: { alongShare: Number.POSITIVE_INFINITY, tightAlongShare: Number.POSITIVE_INFINITY },
  },
  tight: {
    says: "where the guard refuses all folds none is tried that takes more along or keeps fewer names",
    constants: { triesTighter: false },
  },
  "best-cut": {
    says: "it cuts at the oldest expired part and not where it gains most",
    stages: { cuts: oldestCuts },
  },
} as const satisfies Record<string, Ablation>;

export type AblatedIdea = keyof typeof ablated;

/** The context log with other stages and constants in place of some of the default's. */
export const ablatedPolicy = ({ stages, constants }: Ablation, preset = contextLogConstants()) =>
  contextLogPolicyOf({ ...contextLogStages, ...stages }, { ...preset, ...constants });

const named = Object.entries<Ablation>(ablated).map(([idea, ablation]) => [
  `no-${idea}`,
  fixedPolicy(
    { policy: ablatedPolicy(ablation), renderer: logLayout },
    `The context log, preset default, but ${ablation.says}.`,
  ),
]);

export const ablations: Readonly<Record<`no-${AblatedIdea}`, NamedPolicy>> = Object.fromEntries(named);

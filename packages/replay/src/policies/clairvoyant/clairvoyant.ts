import type { ContextPolicy, ContextView, Prices, PromptDecision } from "@cm/context-log";
import type { Recording } from "@cm/recordings";
import {
  type ContextLogConstants,
  type ContextLogStages,
  contextLogConstants,
  contextLogPolicyOf,
  contextLogStages,
  type Keep,
  type LogParts,
  logParts,
  type Part,
  referencesWith,
} from "@cm/render";
import { fetched } from "./fetched.ts";
import { type Foreseen, foreseenOf, keptNamesChars } from "./foreseen.ts";
import { type Future, futureOf, isNameNeeded } from "./future.ts";
import { HeldLines, textOf } from "./held-lines.ts";
import { wordsKept } from "./kept-words.ts";
import { knownCuts } from "./known-cuts.ts";
import { livingParts } from "./living-parts.ts";
import { ReferenceLines } from "./reference-lines.ts";

export interface Knowledge {
  /** Which names later calls write, beside the texts that later edits replace. */
  readonly names: boolean;
}

/** Nothing is guessed: no clock runs, no budget retains, nothing goes along, and no guard is needed. */
const constants: ContextLogConstants = {
  ...contextLogConstants(),
  retentionBudget: 0,
  alongShare: Number.POSITIVE_INFINITY,
  planCharsMax: 0,
  missedCharsMax: Number.POSITIVE_INFINITY,
  regretShare: Number.POSITIVE_INFINITY,
};

/** The context log's machinery with the whole recording in view: what it guesses otherwise, it knows. */
export function clairvoyantPolicy(recording: Pick<Recording, "events">, knows: Knowledge): ContextPolicy {
  const future = futureOf(recording);
  let foreseen: { readonly prices: Prices; readonly of: Foreseen } | undefined;
  const foreseenAt = (prices: Prices): Foreseen => {
    if (foreseen?.prices !== prices) foreseen = { prices, of: foreseenOf(recording, { future, prices }) };
    return foreseen.of;
  };
  const references = new ReferenceLines(future);
  const keptChars = new WeakMap<Part, number>();
  const known = new WeakMap<LogParts, HeldLines>();
  const heldIn = (view: ContextView): HeldLines => {
    const log = logParts(view);
    const held = known.get(log) ?? new HeldLines(future);
    known.set(log, held);
    held.readOn(view, log);
    return held;
  };
  return {
    contract: "policy/1",
    name: knows.names ? "clairvoyant" : "clairvoyant-needs",
    decide: (view, prices): PromptDecision =>
      contextLogPolicyOf(
        stagesAt(view, {
          prices,
          future,
          foreseen: foreseenAt(prices),
          keptChars,
          held: heldIn(view),
          referenced: references.in(view),
          knows,
        }),
        constants,
      ).decide(view, prices),
  };
}

interface Known {
  readonly prices: Prices;
  readonly future: Future;
  readonly foreseen: Foreseen;
  readonly keptChars: WeakMap<Part, number>;
  readonly held: HeldLines;
  readonly referenced: ReadonlySet<string>;
  readonly knows: Knowledge;
}

/** The stages of one request: what is known changes with each. */
function stagesAt(
  view: ContextView,
  { prices, future, foreseen, keptChars, held, referenced, knows }: Known,
): ContextLogStages {
  const isBound = (part: Part): boolean => contextLogStages.isBound(part, view, constants);
  const living = livingParts({ view, log: logParts(view), future, held, referenced, prices, isBound });
  const keptCharsOf = (part: Part): number => {
    const chars = keptChars.get(part) ?? (part.isArgs ? 0 : keptNamesChars(textOf(view, part), part.step, future));
    keptChars.set(part, chars);
    return chars;
  };
  return {
    ...contextLogStages,
    expiry: () => (_, part) => ({
      expiredAt: living.has(part) ? Number.POSITIVE_INFINITY : part.step + wholeCalls,
      setAt: part.step,
      turn: part.turn,
      limit: 1,
    }),
    misses: () => fetched(view, { future, held, referenced }),
    cuts: (_, facts) => knownCuts(view, { ...facts, future, foreseen, living, keptChars: keptCharsOf }),
    isShortened: (_, candidate, along) =>
      !living.has(candidate.part) && contextLogStages.isShortened(view, candidate, along),
    references: knows.names ? referencesWith(keepNeeded(view, future)) : contextLogStages.references,
  };
}

/** The newest call stays whole: who knows the future need not look twice. */
const wholeCalls = 1;

/** Of the names that stand nowhere else those that a later call writes. */
const keepNeeded =
  ({ step }: ContextView, future: Future): Keep =>
  (text, { fresh }) => {
    const needed = fresh.filter((name) => {
      const known = future.names.get(name);
      return known !== undefined && isNameNeeded(known, step);
    });
    const { names, lines } = wordsKept(text, needed);
    return { ...(names.length === 0 ? {} : { names }), ...(lines.length === 0 ? {} : { lines }) };
  };

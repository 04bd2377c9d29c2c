import {
  type ContextPolicy,
  type ContextView,
  newestResult,
  type PartForm,
  type PromptDecision,
  type Recall,
} from "@cm/context-log";
import { sha256 } from "@cm/object-model";
import { createRandom, type Random } from "@cm/testkit";

/** Decides nothing: the agent alone. */
export const quietPolicy: ContextPolicy = { contract: "policy/1", name: "quiet", decide: () => ({}) };

/** Always decides the same. */
export function decides(decision: PromptDecision): ContextPolicy {
  return { contract: "policy/1", name: "fixed", decide: () => decision };
}

/** Brings objects back at the end of the newest result; none where there is no result yet. */
export function recallsOf({ log }: Pick<ContextView, "log">, objects: Iterable<string>): readonly Recall[] {
  const into = newestResult(log);
  return into < 0 ? [] : [...objects].map((object) => ({ object, into }));
}

/**
 * Folds, recalls and collapses at random, and is pure all the same: the choices follow from the view. It reads all that
 * a policy may read, so that a resumed session that knows less decides otherwise.
 */
export function restlessPolicy(seed: number): ContextPolicy {
  return {
    contract: "policy/1",
    name: "restless",
    decide(view) {
      const random = createRandom(Number.parseInt(sha256(`${seed} ${digestOf(view)}`).slice(0, 8), 16));
      const fold = random.chance(0.3) ? { cut: random.below(view.log.length + 1), reason: "at random" } : undefined;
      return {
        forms: formsOf(view, random),
        recall: recallsOf(
          view,
          [...view.sets.requested].sort().filter(() => random.chance(0.7)),
        ),
        deactivate: [...view.sets.active].sort().filter((id) => !view.sets.pinned.has(id) && random.chance(0.2)),
        ...(fold === undefined ? {} : { fold }),
      };
    },
  };
}

/**
 * Recalls and collapses at random by the step and the sets alone, and names objects by their aliases: two sessions of
 * which one has an entry more in its log decide the same.
 */
export function steadyPolicy(seed: number): ContextPolicy {
  return {
    contract: "policy/1",
    name: "steady",
    decide({ sets, objects, step, turn, log }) {
      const aliased = (ids: ReadonlySet<string>) =>
        [...ids].map((id) => [objects.get(id)?.alias ?? "", id] as const).sort(([a], [b]) => (a < b ? -1 : 1));
      const named = Object.values(sets).map((set) => aliased(set).map(([alias]) => alias));
      const random = createRandom(Number.parseInt(sha256(JSON.stringify([seed, step, turn, named])).slice(0, 8), 16));
      const some = (ids: ReadonlySet<string>, chance: number) =>
        aliased(ids).flatMap(([, id]) => (random.chance(chance) ? [id] : []));
      return {
        recall: recallsOf({ log }, some(sets.requested, 0.7)),
        deactivate: some(sets.active, 0.2).filter((id) => !sets.pinned.has(id)),
      };
    },
  };
}

function digestOf(view: ContextView): string {
  const sets = Object.entries(view.sets).map(([name, set]) => [name, [...set].sort()]);
  const { ledger, step, turn, systemPrompt, cache } = view;
  const said = [
    view.log.length,
    step,
    turn,
    systemPrompt,
    cache,
    ledger,
    sets,
    [...view.forms].sort(),
    view.sent?.chars,
  ];
  return sha256(JSON.stringify(said));
}

function formsOf(view: ContextView, random: Random): Record<string, PartForm> {
  const forms: Record<string, PartForm> = {};
  for (const entry of view.log) {
    if (entry.kind === "result" || entry.kind === "recalled") {
      if (random.chance(0.15)) forms[`${entry.at}`] = formAt(`${entry.at}`, random);
    } else if (entry.kind === "assistant") {
      for (const call of entry.calls.keys())
        if (random.chance(0.1)) forms[`${entry.at}.${call}`] = random.pick([{ form: "reference" }, { form: "full" }]);
    }
  }
  return forms;
}

function formAt(part: string, random: Random): PartForm {
  return random.pick<PartForm>([
    { form: "full" },
    { form: "sparse" },
    { form: "reference" },
    {
      form: "reference",
      names: [
        [0, 3],
        [1, 4],
      ],
    },
    { form: "same", as: part },
    { form: "diff", from: part },
  ]);
}

import type { Observation, ObserveRequest, Source } from "@cm/object-model";
import { limits } from "../limits.ts";
import { observeInTime } from "./observe-in-time.ts";

/** A look at a file that got no answer: nobody can tell. */
export const noAnswer: Observation = { kind: "unreachable", reason: "no answer" };

/** A request to look, with the object's id; its binding was parsed by its source. */
export type LookRequest = ObserveRequest & { readonly id: string };

/** Asks every source for its own, all at once, each in parts. What nobody answered is missing. */
export async function lookAt(
  sources: ReadonlyMap<string, Source>,
  requests: readonly LookRequest[],
): Promise<ReadonlyMap<string, Observation>> {
  const byType = Map.groupBy(requests, ({ binding }) => binding.type);
  const answers = await Promise.all([...byType].map(([type, group]) => lookThrough(sources.get(type), group)));
  return new Map(answers.flat());
}

async function lookThrough(
  source: Source | undefined,
  requests: readonly LookRequest[],
): Promise<readonly (readonly [string, Observation])[]> {
  if (source === undefined) return [];
  const answers: (readonly [string, Observation])[] = [];
  const take = (part: readonly LookRequest[], observations: readonly Observation[]): void => {
    for (const [place, { id }] of part.entries()) {
      const observation = observations[place];
      if (observation !== undefined) answers.push([id, observation]);
    }
  };
  // The next part is asked for while the last one is looked at, so that neither side waits for the other.
  let asked:
    | { readonly part: readonly LookRequest[]; readonly observations: ReturnType<typeof observeInTime> }
    | undefined;
  for (let from = 0; from < requests.length; from += limits.observationsPerCallMax) {
    const part = requests.slice(from, from + limits.observationsPerCallMax);
    const observations = observeInTime(source, part);
    if (asked !== undefined) take(asked.part, await asked.observations);
    asked = { part, observations };
  }
  if (asked !== undefined) take(asked.part, await asked.observations);
  return answers;
}

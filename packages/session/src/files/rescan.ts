import type { KnownState, Observation, Source, SourceBinding } from "@cm/object-model";
import { lookAt, noAnswer } from "./scan.ts";

export interface Looked {
  readonly id: string;
  readonly binding: SourceBinding;
  readonly observation: Observation;
}

/**
 * Looks a second time at what was found, after the stored versions were read: only so is it known that these are older
 * than the look, and may be replaced. A file that has not changed since costs a look at its attributes.
 */
export async function lookAgain(
  sources: ReadonlyMap<string, Source>,
  looked: readonly Looked[],
): Promise<readonly Observation[]> {
  const answers = await lookAt(
    sources,
    looked.map(({ id, binding, observation }) => {
      const known = knownBy(observation);
      return known === undefined ? { id, binding } : { id, binding, known };
    }),
  );
  return looked.map(({ observation }, place) => {
    const answer = answers[place] ?? noAnswer;
    if (answer.kind !== "unchanged") return answer;
    return observation.kind === "present" ? { ...observation, state: answer.state } : observation;
  });
}

function knownBy(observation: Observation): KnownState | undefined {
  if (observation.kind === "absent") return { absent: true };
  return observation.kind === "present" ? observation.state : undefined;
}

import {
  defined,
  type KnownState,
  limits as modelLimits,
  type Observation,
  type ObserveRequest,
  type Source,
  type SourceBinding,
  withDeadline,
} from "@cm/object-model";
import { limits } from "../limits.ts";

/** A look at a file that got no answer: its state is unknown. */
export const noAnswer: Observation = { kind: "unreachable", reason: "no answer" };

/** A request to look, with the object's id; its binding was parsed by its source. */
export type LookRequest = ObserveRequest & { readonly id: string };

/** An answer for each request, in order; undefined where no source answered. */
export type Answers = readonly (Observation | undefined)[];

/** Asks every source for its own, all at once, each in parts. */
export async function lookAt(sources: ReadonlyMap<string, Source>, requests: readonly LookRequest[]): Promise<Answers> {
  const type = requests[0]?.binding.type ?? "";
  // Before each request all files are looked at: where one kind of source has them all, they need no sorting.
  if (requests.every(({ binding }) => binding.type === type)) return lookThrough(sources.get(type), requests);
  const answers: (Observation | undefined)[] = new Array(requests.length).fill(undefined);
  const byType = Map.groupBy(requests.keys(), (place) => requests[place]?.binding.type ?? "");
  await Promise.all(
    [...byType].map(async ([type, places]) => {
      const group = places.flatMap((place) => requests[place] ?? []);
      const observations = await lookThrough(sources.get(type), group);
      for (const [index, place] of places.entries()) answers[place] = observations[index];
    }),
  );
  return answers;
}

async function lookThrough(source: Source | undefined, requests: readonly LookRequest[]): Promise<Answers> {
  if (source === undefined) return [];
  if (requests.length <= limits.observationsPerCallMax) return observeInTime(source, requests);
  const answers: (Observation | undefined)[] = [];
  const take = async (part: readonly LookRequest[], asked: Promise<readonly Observation[]>): Promise<void> => {
    const observations = await asked;
    for (let place = 0; place < part.length; place += 1) answers.push(observations[place]);
  };
  // The next part is asked for while the last one is looked at, so that neither side waits for the other.
  let taken: Promise<void> | undefined;
  for (let from = 0; from < requests.length; from += limits.observationsPerCallMax) {
    const part = requests.slice(from, from + limits.observationsPerCallMax);
    const asked = observeInTime(source, part);
    await taken;
    taken = take(part, asked);
  }
  await taken;
  return answers;
}

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
    looked.map(({ id, binding, observation }) => ({ id, binding, ...defined({ known: knownBy(observation) }) })),
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

/** What a source answers within the deadline. One that fails or hangs is one that cannot be reached: no answers. */
async function observeInTime(source: Source, requests: readonly ObserveRequest[]): Promise<readonly Observation[]> {
  const bounds = { contentBytesMax: modelLimits.contentBytesMax, deadlineMs: limits.observeMs };
  const deadline = new AbortController();
  const asked = () => source.observe(requests, bounds, deadline.signal);
  return (await answerInTime(asked, bounds.deadlineMs, () => deadline.abort())) ?? [];
}

/** What a promise gives within the time; undefined where it fails or takes longer. Nothing waits for it then. */
export async function answerInTime<T>(asked: () => Promise<T>, ms: number, late?: () => void): Promise<T | undefined> {
  try {
    return await withDeadline(asked(), ms, () => {
      late?.();
      return undefined;
    });
  } catch {
    return undefined;
  }
}

import { type Basis, keyframeId, type ObjectStore, type StoredVersion, standingId, stepId } from "@cm/object-model";
import { limits } from "../limits.ts";
import type { FoundStep, Scope } from "./found-steps.ts";
import { lineOf, type ObjectLine } from "./object-lines.ts";
import { orderedSteps } from "./ordered-steps.ts";
import { PromptChanges } from "./prompt-changes.ts";
import { damaged, type Heads } from "./read-heads.ts";

/** Steps with their keyframes and what stands beside them, and before each the system prompt where it is another one than before. */
export async function* stepLines(store: ObjectStore, scope: Scope, heads: Heads): AsyncGenerator<ObjectLine> {
  for (const id of scope.lostSteps.keys()) yield { id, kind: "erased", of: "step" };
  const prompts = new Map<string, PromptChanges>();
  const promptsOf = (session: string) => {
    const known = prompts.get(session) ?? new PromptChanges(store, session);
    prompts.set(session, known);
    return known;
  };
  const steps = orderedSteps(scope, heads.session);
  const keyframes = new Set<string>();
  for (let from = 0; from < steps.length; from += limits.smallObjectsPerReadMax) {
    const part = steps.slice(from, from + limits.smallObjectsPerReadMax);
    const found = await store.getMany(
      part.flatMap((step) => [stepId(step), keyframeId(step), standingId(step)]),
      heads.basis,
    );
    const changes = new Map<string, ReadonlySet<Basis>>();
    for (const session of new Set(part.map((step) => step.session))) {
      const bases = part.filter((step) => step.session === session).map(({ basis }) => basis);
      changes.set(session, await promptsOf(session).among(bases));
    }
    for (const step of part) {
      const isChange = changes.get(step.session)?.has(step.basis) === true;
      const change = isChange ? await promptsOf(step.session).until(step.basis) : undefined;
      if (change !== undefined) yield change;
      yield* withKeyframe(step, found, keyframes);
    }
  }
  const { keyframe } = heads.head;
  if (keyframe !== undefined && !keyframes.has(keyframe)) yield { id: keyframe, kind: "erased", of: "keyframe" };
  const last = await promptsOf(heads.session).until(heads.basis);
  if (last !== undefined) yield last;
}

function* withKeyframe(
  step: FoundStep,
  found: ReadonlyMap<string, StoredVersion>,
  keyframes: Set<string>,
): Generator<ObjectLine> {
  const version = found.get(step.id);
  if (version?.document === undefined) throw damaged(step.session, "a step was erased meanwhile");
  yield lineOf(version);
  const id = keyframeId(step);
  const keyframe = found.get(id);
  if (keyframe?.document !== undefined) {
    keyframes.add(id);
    yield lineOf(keyframe);
  }
  const standing = found.get(standingId(step));
  if (standing?.document !== undefined) yield lineOf(standing);
}

// Verifies: SSOT 3.8, decision 0045, F16: what keyframes cost a step does not grow with the session.
import { emptySets } from "@cm/context-log/state";
import { describe, expect, it } from "vitest";
import { limits } from "../src/limits.ts";
import { listsAreDue } from "../src/step/keyframe-due.ts";

/** A session that meets so many objects in each step. */
function keyframesOf(steps: number, objectsPerStep: number) {
  const sets = emptySets();
  const keyframes: { readonly n: number; readonly ids: number }[] = [];
  let newest: string | undefined;
  for (let n = 0; n < steps; n += 1) {
    for (let object = 0; object < objectsPerStep; object += 1) {
      for (const name of ["index", "pool"] as const) sets[name].add(`${n} ${object}`);
    }
    if (!listsAreDue({ session: "s", sets }, n, { newest, every: undefined })) continue;
    newest = `keyframe:s:${n}`;
    keyframes.push({ n, ids: sets.index.size + sets.pool.size });
  }
  return keyframes;
}

describe("keyframes", () => {
  it.each([1, 2, 20])("cost each step at most so many ids where %i objects are met in it", (objects) => {
    const keyframes = keyframesOf(5_000, objects);

    const perStep = keyframes.map(({ n, ids }, place) => ids / (n - (keyframes[place - 1]?.n ?? -1)));
    expect(keyframes.length).toBeGreaterThan(3);
    expect(Math.max(...perStep)).toBeLessThanOrEqual(Math.max(limits.keyframeIdsPerStep, 2 * 2 * objects));
  });

  it("come at one distance while a session is small", () => {
    expect(keyframesOf(350, 0).map(({ n }) => n)).toEqual([99, 199, 299]);
  });

  it("of another session, which this one continues, do not count", () => {
    const state = { session: "s", sets: emptySets() };
    const isDue = (newest: string) => listsAreDue(state, 150, { newest, every: undefined });

    expect([isDue("keyframe:s:140"), isDue("keyframe:other:140")]).toEqual([false, true]);
  });
});

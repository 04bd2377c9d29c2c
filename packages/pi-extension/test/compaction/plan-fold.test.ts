// Verifies: decision 78: what `/compact` wants is tried out first, and what brings too little is not wanted.
import { expect, it } from "vitest";
import type { WishedWeight } from "../../src/branch/branch-items.ts";
import { plannedFold } from "../../src/compaction/plan-fold.ts";

/** A session of so many bytes that give way at most: outputs, and dialogue of earlier turns; the rest stays. */
function session({ outputs = 0, dialogue = 0, rest = 0 }) {
  return async ({ foldToBytes = Infinity, dialogueToBytes = Infinity }: WishedWeight = {}) => {
    const all = outputs + dialogue + rest;
    const folded = Math.max(all - outputs, Math.min(all, foldToBytes));
    return Math.max(folded - dialogue, Math.min(folded, dialogueToBytes));
  };
}

const kept = 80_000;

it.each([
  ["half of a small prompt", { outputs: 40_000, rest: 10_000 }, { foldToBytes: 25_000 }],
  ["what Pi would keep of a large one", { outputs: 400_000, rest: 10_000 }, { foldToBytes: kept }],
  ["half, though what stays is more than that", { outputs: 20_000, rest: 40_000 }, { foldToBytes: 30_000 }],
  ["never next to nothing", { outputs: 6_000, rest: 0 }, { foldToBytes: 4_096 }],
  ["dialogue, too, where that alone is too much", { outputs: 50_000, dialogue: 200_000 }, both(kept)],
  ["dialogue where no output is", { dialogue: 100_000 }, both(50_000)],
  ["no dialogue that its summary would outweigh", { outputs: 50_000, dialogue: 84_000 }, { foldToBytes: 67_000 }],
  ["nothing where little would go", { outputs: 900, rest: 9_000 }, undefined],
  ["nothing of dialogue that Pi would keep", { dialogue: 79_000 }, undefined],
  ["nothing where nothing gives way", { rest: 200_000 }, undefined],
  ["nothing of nothing", {}, undefined],
] as const)("it wants %s", async (_, parts, wish) => {
  expect(await plannedFold(session(parts), 20_000)).toEqual(wish);
});

function both(foldToBytes: number): WishedWeight {
  return { foldToBytes, dialogueToBytes: kept };
}

import { deepStrictEqual } from "node:assert/strict";
import { createMemoryStore } from "@cm/object-model";
import type { StoreFactory } from "../object-store/store-case.ts";
import { createRandom } from "../random/random.ts";
import { ComparedStore } from "./compared-store.ts";
import { referenceTypes } from "./documents.ts";
import { randomCall } from "./random-calls.ts";

export interface MemoryComparison {
  readonly open: StoreFactory;
  readonly seed: number;
  /** How many calls the run has. */
  readonly calls: number;
  /** The store's database is one that others write to; see `ComparedStore`. */
  readonly shared?: boolean;
}

/**
 * Makes random calls on a fresh store and on the memory store: commits under all expectations, reads on both time axes,
 * pages, filters, erasures, repeated requests, and wrong ones. Every answer and every refusal must be equal.
 * @throws AssertionError that names the call
 */
export async function compareWithMemory({ open, seed, calls, shared }: MemoryComparison): Promise<void> {
  const random = createRandom(seed);
  let time = 1_000;
  const setting = { types: referenceTypes, now: () => time };
  const memory = new ComparedStore(createMemoryStore(setting), { shared });
  const store = new ComparedStore(await open(setting), { shared });
  try {
    for (let step = 0; step < calls; step += 1) {
      // Clocks are set back now and then.
      time += random.chance(0.1) ? -random.below(50) : random.below(20);
      const { name, call } = randomCall(random, time);
      const expected = await memory.answer(call);
      const actual = await store.answer(call);
      deepStrictEqual(actual, expected, `call ${step} of seed ${seed}, ${name}`);
    }
  } finally {
    await store.store.close?.();
  }
}

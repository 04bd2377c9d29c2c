import type { Random } from "../random/random.ts";
import { questions, subjectIds, subjects } from "./subjects.ts";

/**
 * What a write expects. Numbers name tokens that were given out, counted from the first and around again: one that is
 * not the object's newest must be refused.
 */
export type Expectation = "any" | "absent" | "newest" | number;

/** Moments that a read names: a basis by number, counted like tokens, and a valid time in milliseconds from the start. */
export interface Look {
  readonly basis?: number;
  readonly validMs?: number;
}

/** Plain data, so that a run can be printed, shortened and repeated. Subjects and filters by number. */
export type Command =
  | {
      readonly kind: "commit";
      readonly writes: readonly { readonly subject: number; readonly expect: Expectation }[];
      readonly validMs?: number;
      readonly request?: number;
    }
  | { readonly kind: "erase"; readonly ids: readonly number[] }
  | { readonly kind: "find"; readonly filter: number; readonly limit: number }
  | { readonly kind: "clock"; readonly ms: number };

export interface Step {
  readonly command: Command;
  /** What is read after the command, besides everything as it is now. */
  readonly look: Look;
}

/** Valid times lie close to the clock, so that planned versions come due within a run. */
const spreadMs = 60;

export function randomSteps(random: Random, count: number): readonly Step[] {
  return Array.from({ length: count }, () => ({ command: randomCommand(random), look: randomLook(random) }));
}

function randomCommand(random: Random): Command {
  const dice = random.below(100);
  if (dice < 70) return randomCommit(random);
  if (dice < 85) return { kind: "clock", ms: random.chance(0.15) ? -random.below(30) : random.below(8) };
  if (dice < 95) return { kind: "find", filter: random.below(questions.length), limit: 1 + random.below(4) };
  return {
    kind: "erase",
    ids: [random.below(subjectIds.length), ...random.some(2, () => random.below(subjectIds.length))],
  };
}

function randomCommit(random: Random): Command {
  const write = () => ({ subject: random.below(subjects.length), expect: randomExpectation(random) });
  return {
    kind: "commit",
    writes: random.chance(0.02) ? [] : [write(), ...random.some(3, write)],
    ...(random.chance(0.35) ? { validMs: random.below(2 * spreadMs) - spreadMs } : {}),
    ...(random.chance(0.1) ? { request: random.below(3) } : {}),
  };
}

function randomExpectation(random: Random): Expectation {
  const dice = random.below(100);
  if (dice < 60) return "any";
  if (dice < 85) return "newest";
  return dice < 93 ? "absent" : random.below(1_000);
}

function randomLook(random: Random): Look {
  return {
    ...(random.chance(0.6) ? { basis: random.below(1_000) } : {}),
    ...(random.chance(0.6) ? { validMs: random.below(2 * spreadMs) - spreadMs } : {}),
  };
}

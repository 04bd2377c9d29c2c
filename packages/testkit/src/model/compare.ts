import { AssertionError } from "node:assert";
import { createClock } from "../object-store/clock.ts";
import { sampleTypes } from "../object-store/sample-types.ts";
import type { StoreFactory } from "../object-store/store-case.ts";
import { repeatLine } from "../random/for-seeds.ts";
import { createRandom } from "../random/random.ts";
import { type Command, randomSteps, type Step } from "./commands.ts";
import { createModelStore } from "./model-store.ts";
import { Side } from "./side.ts";
import { questions, subjectIds, subjects } from "./subjects.ts";

export interface Comparison {
  readonly open: StoreFactory;
  readonly seed: number;
  /** How many commands the run has. */
  readonly commands: number;
}

interface Difference {
  readonly at: number;
  readonly expected: string;
  readonly actual: string;
}

/**
 * Runs random commands against a fresh store and the model. After each one, all objects, a read at a random basis and
 * valid time, and the history of what was touched must be equal.
 * @throws AssertionError with the seed, the shortest run found that still differs, and a line to repeat it
 */
export async function compareWithModel({ open, seed, commands }: Comparison): Promise<void> {
  const steps = randomSteps(createRandom(seed), commands);
  const found = await differenceOf(open, steps);
  if (found === undefined) return;
  const shortest = await shorten(open, steps.slice(0, found.at + 1));
  const { expected, actual } = (await differenceOf(open, shortest)) ?? found;
  const program = shortest.map((step) => JSON.stringify(step)).join("\n");
  throw new AssertionError({
    message:
      `The store differs from the model after command ${found.at} of seed ${seed}. ` +
      `${repeatLine(seed)}\nShortest run:\n${program}`,
    expected,
    actual,
  });
}

/** Leaves out one step after the other, from the end, as long as a difference stays. */
async function shorten(open: StoreFactory, steps: readonly Step[]): Promise<readonly Step[]> {
  let shortest = steps;
  for (let place = steps.length - 1; place >= 0; place -= 1) {
    const without = shortest.toSpliced(place, 1);
    if ((await differenceOf(open, without)) !== undefined) shortest = without;
  }
  return shortest;
}

async function differenceOf(open: StoreFactory, steps: readonly Step[]): Promise<Difference | undefined> {
  const clock = createClock();
  const setting = { now: clock.now, types: sampleTypes };
  const model = new Side(createModelStore(setting));
  const store = new Side(await open(setting));
  try {
    for (const [at, { command, look }] of steps.entries()) {
      if (command.kind === "clock") clock.advance(command.ms);
      const expected = await model.run(command);
      const actual = await store.run(command);
      if (!agree(command, expected, actual)) return { at, expected, actual };
      const difference = await stateDifference(model, store, { command, look });
      if (difference !== undefined) return { at, ...difference };
    }
    return undefined;
  } finally {
    await store.close();
  }
}

async function stateDifference(model: Side, store: Side, { command, look }: Step) {
  const states = [await model.state(look), await store.state(look)] as const;
  if (states[0] !== states[1]) return { expected: states[0], actual: states[1] };
  for (const id of touchedBy(command)) {
    const [expected, actual] = [await model.history(id), await store.history(id)];
    if (expected !== actual) return { expected, actual };
  }
  return undefined;
}

/** A store may say that it has no text search. */
function agree(command: Command, expected: string, actual: string): boolean {
  if (expected === actual) return true;
  const searches = command.kind === "find" && questions[command.filter]?.filter.text !== undefined;
  return searches && actual.startsWith("refused: store/unsupported");
}

/** An erasure reaches objects that it does not name, so all of them count as touched. */
function touchedBy(command: Command): readonly string[] {
  if (command.kind === "erase") return subjectIds;
  if (command.kind !== "commit") return [];
  return [...new Set(command.writes.map(({ subject }) => subjects[subject]?.["xt/id"] ?? ""))];
}

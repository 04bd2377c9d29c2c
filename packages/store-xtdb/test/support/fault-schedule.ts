import type { ObjectStore, Write } from "@cm/object-model";
import type { Fault, FaultRule, Random } from "@cm/testkit";
import { call, type Tokens } from "./fault-script.ts";

/** One commit and what happens to the requests of its first attempts. */
export interface PlannedCommit {
  readonly requestId: string;
  readonly writes: (tokens: Tokens) => readonly Write[];
  /** A plan for each attempt; later ones meet nothing. */
  readonly plans: readonly (readonly FaultRule[])[];
}

export const scheduleIds = ["call_a", "call_b", "call_c"] as const;

/** After these the client cannot know whether its request was carried out. */
const doubtful: readonly Fault[] = [
  "cut-before-reply",
  "cut-before-reply",
  "cut-in-reply",
  "truncated",
  "empty",
  "garbage",
  "not-http",
  "error-500",
  "reset",
  "never",
  "late",
  "late",
];

/** These fail at once, so that a node can be away for a while without a test taking as long. */
const away: readonly Fault[] = ["reset", "error-500", "cut-before-reply", "garbage"];

export function randomSchedule(random: Random, commits: number): readonly PlannedCommit[] {
  return Array.from({ length: commits }, (_, n) => ({
    requestId: `commit ${n}`,
    writes: randomWrites(random, n),
    plans: Array.from({ length: 1 + random.below(2) }, () => randomPlan(random)),
  }));
}

/** What matters most is the submit itself, and whether the store can find out afterwards what became of it. */
function randomPlan(random: Random): readonly FaultRule[] {
  const plan: FaultRule[] = [];
  if (random.chance(0.7)) plan.push({ ...randomRule(random, doubtful), method: "POST", path: /\/submit-tx$/ });
  if (random.chance(0.5)) plan.push({ ...randomRule(random, doubtful), nth: 1 + random.below(4) });
  if (random.chance(0.3)) plan.push({ ...randomRule(random, away), nth: 2 + random.below(4), times: 50 });
  return plan;
}

function randomRule(random: Random, faults: readonly Fault[]): FaultRule {
  const fault = faults[random.below(faults.length)] ?? "reset";
  return fault === "late" ? { fault, heldFor: random.below(6) } : { fault };
}

function randomWrites(random: Random, n: number): PlannedCommit["writes"] {
  const chosen = scheduleIds.filter(() => random.chance(0.6));
  const ids = chosen.length === 0 ? [scheduleIds[0]] : chosen;
  const parts = ids.map((id) => ({
    // Now and then what is already there, which adds no version.
    document: call(id, random.chance(0.2) ? 0 : n + 1, random.chance(0.3) ? 4_000 : 40),
    named: random.chance(0.6),
  }));
  return (tokens) =>
    parts.map(({ document, named }) => ({
      document,
      expect: named ? (tokens.get(document["xt/id"]) ?? "absent") : "any",
    }));
}

/** Commits under the planned id, and remembers the tokens. A repetition has to say the very same. */
export async function commitAs(
  store: ObjectStore,
  requestId: string,
  writes: readonly Write[],
  tokens: Tokens,
): Promise<string> {
  const { results } = await store.commit(writes, { requestId });
  for (const { id, token } of results) tokens.set(id, token);
  return results.map(({ id, outcome }) => `${id} ${outcome}`).join(", ");
}

/** Every version of every object, and whether the newest is the one whose token the receipts gave. */
export async function versionsOf(store: ObjectStore, tokens: Tokens): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const id of scheduleIds) {
    const { versions } = await store.history(id);
    lines.push(...versions.map(({ contentHash }) => `${id} ${contentHash.slice(0, 8)}`));
    lines.push(`${id} newest is what the receipt says: ${versions[0]?.token === tokens.get(id)}`);
  }
  return lines;
}

import { opponents } from "@cm/replay";
import { plainPolicy } from "./plots/palette.ts";

/** The role of a policy in the comparison. An unknown name counts as ours: the report claims no distance to it. */
export type PolicyRole = "alone" | "ours" | "future" | "opponent";

export function roleOf(policy: string): PolicyRole {
  if (policy === plainPolicy) return "alone";
  if (policy.startsWith("clairvoyant")) return "future";
  return Object.hasOwn(opponents, policy) ? "opponent" : "ours";
}

/** What those know that others guess, for a sentence; undefined for all others. */
export function knowledgeOf(policy: string): string | undefined {
  if (roleOf(policy) !== "future") return undefined;
  return policy === "clairvoyant-needs"
    ? "which knows the texts that later edits need"
    : "which knows the texts and names that later calls need";
}

interface Compared {
  readonly policy: string;
  readonly billedShare: number;
}

/** The one that knew what the session would need, the cheapest where there are several; what others are measured by. */
export function clairvoyantOf<T extends Compared>(standings: readonly T[]): T | undefined {
  return cheapest(standings, "future");
}

/** The opponent that was billed least. */
export function cheapestOpponent<T extends Compared>(standings: readonly T[]): T | undefined {
  return cheapest(standings, "opponent");
}

function cheapest<T extends Compared>(standings: readonly T[], role: PolicyRole): T | undefined {
  return standings.filter(({ policy }) => roleOf(policy) === role).toSorted((a, b) => a.billedShare - b.billedShare)[0];
}

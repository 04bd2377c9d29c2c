import type { RunResult } from "../replay/run-result.ts";
import { plainPolicy } from "./plots/palette.ts";

/** What a policy is compared as. A name that this report does not know is an opponent. */
export type PolicyRole = "alone" | "ours" | "future" | "opponent";

const ours: ReadonlySet<string> = new Set([
  ...["log", "careful", "default", "lean", "ssot"],
  ...["store-only", "references", "full"],
]);

export function roleOf(policy: string): PolicyRole {
  if (policy === plainPolicy) return "alone";
  if (/clairvoyan/i.test(policy)) return "future";
  return ours.has(policy) ? "ours" : "opponent";
}

/** The run that knew what the session would need, the cheapest where there are several; what others are measured by. */
export function clairvoyantOf<T extends Pick<RunResult, "policy">>(
  rows: readonly T[],
  billed: (row: T) => number,
): T | undefined {
  return rows.filter(({ policy }) => roleOf(policy) === "future").toSorted((a, b) => billed(a) - billed(b))[0];
}

/** The opponent that was billed least. */
export function cheapestOpponent<T extends Pick<RunResult, "policy">>(
  rows: readonly T[],
  billed: (row: T) => number,
): T | undefined {
  return rows.filter(({ policy }) => roleOf(policy) === "opponent").toSorted((a, b) => billed(a) - billed(b))[0];
}

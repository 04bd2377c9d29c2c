/** Tokens of a session: what it may use (`null`: no bound) and what it has used. Plain data, kept with the session. */
export interface TokenBudget {
  readonly limit: number | null;
  readonly used: number;
}

/** What a provider counted for one call. */
export interface TokenUse {
  readonly input: number;
  readonly output: number;
}

/** @param used of a session that goes on: what its records say it used */
export function tokenBudget(limit: number | null | undefined, used = 0): TokenBudget {
  return { limit: limit ?? null, used: whole(used) };
}

export const tokensLeft = ({ limit, used }: TokenBudget): number =>
  limit === null ? Number.POSITIVE_INFINITY : Math.max(0, limit - used);

/**
 * Before a call: whether something is left, and the request fits into it. What the answer takes is known only after it.
 * @param input tokens of the request, as far as they are known
 */
export function affords(budget: TokenBudget, input = 0): boolean {
  const left = tokensLeft(budget);
  return left > 0 && whole(input) <= left;
}

/** After a call, also a failed one that the provider counted. All of it counts, also what passes the limit. */
export function booked(budget: TokenBudget, { input, output }: TokenUse): TokenBudget {
  return { limit: budget.limit, used: budget.used + whole(input) + whole(output) };
}

/** A count from outside: what is no number is nothing, and no answer gives tokens back. */
const whole = (tokens: number): number => (tokens > 0 ? Math.ceil(tokens) : 0);

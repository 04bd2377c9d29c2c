/**
 * Tokens as a step can have them: whole, and none where less than none is told, or more than a number can say. Providers tell
 * parts of tokens, and files come from outside.
 */
export function wholeTokens(told: number): number {
  const whole = Math.round(told);
  return Number.isSafeInteger(whole) && whole > 0 ? whole : 0;
}

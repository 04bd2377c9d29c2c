/** Round numbers of calls from 1 to the last one, at most about eight. */
export function ticksOf(calls: number): readonly number[] {
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000].find((size) => calls / size <= 8) ?? calls;
  const rounds = Array.from({ length: Math.floor(calls / step) }, (_, at) => (at + 1) * step);
  return step === 1 ? rounds : [1, ...rounds];
}

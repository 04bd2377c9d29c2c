import { Draw } from "../generate/seeded-random.ts";
import { limits } from "./limits.ts";
import { type Figures, figures, meanOf, type Ratios, totalOf } from "./session-figures.ts";

/** From the fifth to the ninety-fifth of a hundred draws. */
export type Interval = readonly [number, number];
export type Intervals = Readonly<Partial<Record<keyof Figures, Interval>>>;

/**
 * How far the figures depend on which sessions were chosen: as many are drawn from them again, with repetition, a
 * thousand times over. The same sessions give the same intervals. Undefined for a single session, which tells nothing.
 */
export function bootstrap(
  sessions: readonly Ratios[],
): { readonly total: Intervals; readonly mean: Intervals } | undefined {
  if (sessions.length < 2) return undefined;
  const draw = new Draw(limits.seed);
  const drawn = Array.from({ length: limits.resamples }, () => {
    const sample = Array.from(sessions, () => draw.of(sessions));
    return { total: totalOf(sample), mean: meanOf(sample) };
  });
  return { total: intervals(drawn.map(({ total }) => total)), mean: intervals(drawn.map(({ mean }) => mean)) };
}

function intervals(drawn: readonly Figures[]): Intervals {
  return figures((name) => {
    const values = drawn.flatMap(({ [name]: value }) => (value === undefined ? [] : [value])).toSorted((a, b) => a - b);
    const cut = Math.floor(values.length * limits.tailShare);
    const [low, high] = [values[cut], values[values.length - 1 - cut]];
    return low === undefined || high === undefined ? undefined : ([low, high] as const);
  });
}

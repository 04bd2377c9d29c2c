/** One measured figure, as `--json` writes it. */
export interface Figure {
  readonly id: string;
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** The reference value, measured in the same run; null for absolute goals. */
  readonly peer: { readonly what: string; readonly value: number } | null;
  readonly ratio: number | null;
  /** The greatest ratio, or where there is no peer the greatest value, that is good enough; null: reported only. */
  readonly goal: number | null;
  readonly ok: boolean;
}

interface Measured {
  readonly id: string;
  readonly what: string;
  readonly unit: string;
  readonly goal: number | null;
}

/** An absolute goal: the best of three or more runs counts, since the machines are noisy. */
export function absolute(about: Measured, runs: readonly number[]): Figure {
  const value = Math.min(...runs);
  return { ...about, value: rounded(value), peer: null, ratio: null, ok: about.goal === null || value <= about.goal };
}

/** A ratio to a named peer of the same run. */
export function compared(
  about: Measured,
  value: number,
  peer: { readonly what: string; readonly value: number },
): Figure {
  const ratio = value / peer.value;
  return {
    ...about,
    value: rounded(value),
    peer: { ...peer, value: rounded(peer.value) },
    ratio: rounded(ratio),
    ok: about.goal === null || ratio <= about.goal,
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = Number.NaN, high = Number.NaN] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return (low + high) / 2;
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** The text for a missing number, such as a share of nothing. */
export const noNumber = "–";

/** `1234567` as `1,234,567`. */
export function grouped(value: number): string {
  return Number.isFinite(value) ? whole.format(value) : noNumber;
}

/** A share in per cent, without the sign: `0.6134` as `61.3`. */
export function percent(share: number): string {
  return fixed(share * 100);
}

/** One decimal, for per cents, seconds and milliseconds. */
export function fixed(value: number, decimals = 1): string {
  return Number.isFinite(value) ? value.toFixed(decimals) : noNumber;
}

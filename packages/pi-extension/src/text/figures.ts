import { countText } from "@cm/terminal-text";

const charsPerToken = 4;

/** Tokens, estimated at 4 characters each: `940`, `12.4k`, `1.2M`. */
export function tokensText(chars: number): string {
  return tokenCountText(chars / charsPerToken);
}

/** Counted tokens: `940`, `12.4k`, `1.2M`. */
export function tokenCountText(count: number): string {
  const tokens = Math.round(count);
  if (tokens < 1_000) return `${tokens}`;
  if (tokens < 99_950) return `${(tokens / 1_000).toFixed(1)}k`;
  if (tokens < 999_500) return `${Math.round(tokens / 1_000)}k`;
  return `${(tokens / 1_000_000).toFixed(1)}M`;
}

/** Dollars, none below zero: `$12.30`, below one to a tenth of a cent: `$0.042`. */
export function dollarsText(dollars: number): string {
  if (dollars >= 0.9995)
    return `$${countText(Math.floor(dollars + 0.005))}.${`${Math.round(dollars * 100) % 100}`.padStart(2, "0")}`;
  return dollars > 0 && dollars < 0.0005 ? "less than $0.001" : `$${Math.max(0, dollars).toFixed(3)}`;
}

/** A part of a whole in whole percent: `58%`. Undefined where there is no whole. */
export function percentText(part: number, whole: number): string | undefined {
  return whole > 0 ? `${Math.round((100 * part) / whole)}%` : undefined;
}

import { counted } from "./counts.ts";

/**
 * A point in time as people read it, in UTC to the second: `2026-11-23 16:40:00Z`. Empty for none, and for what is no
 * time. A number is milliseconds since the epoch.
 */
export function momentText(moment: Date | number | undefined | null): string {
  if (moment === undefined || moment === null) return "";
  return isoText(moment)
    .replace("T", " ")
    .replace(/\.\d+Z$/, "Z");
}

/** The same for programs: `2026-11-23T16:40:00.000Z`. Empty for what is no time. */
export function isoText(moment: Date | number): string {
  const date = typeof moment === "number" ? new Date(moment) : moment;
  return Number.isNaN(date.getTime()) ? "" : date.toISOString();
}

const dayMs = 86_400_000;
const lengths = [
  [365 * dayMs, "year"],
  [dayMs, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
  [1_000, "second"],
] as const;

/** A length of time in the two units that say most: `3 years 40 days`. */
export function durationText(ms: number): string {
  const first = lengths.findIndex(([length]) => ms >= length);
  if (first < 0) return "less than a second";
  const [[length, name], next] = [lengths[first] ?? lengths[0], lengths[first + 1]];
  const count = Math.floor(ms / length);
  const rest = next === undefined ? 0 : Math.floor((ms - count * length) / next[0]);
  return [counted(count, name), ...(next === undefined || rest === 0 ? [] : [counted(rest, next[1])])].join(" ");
}

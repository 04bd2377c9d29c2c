/** Points in time as people read them: UTC, to the second. Empty for none. */
export function momentText(moment: Date | number | undefined | null): string {
  if (moment === undefined || moment === null) return "";
  return isoText(moment)
    .replace("T", " ")
    .replace(/\.\d+Z$/, "Z");
}

/** Points in time for programs; a number is milliseconds since the epoch. */
export function isoText(moment: Date | number): string {
  const date = typeof moment === "number" ? new Date(moment) : moment;
  return Number.isNaN(date.getTime()) ? "" : date.toISOString();
}

/** A length of time in the two units that say most: `3 years 40 days`. */
export function lengthText(ms: number): string {
  const first = lengths.findIndex(([length]) => ms >= length);
  if (first < 0) return "less than a second";
  const [[length, name], next] = [lengths[first] ?? lengths[0], lengths[first + 1]];
  const count = Math.floor(ms / length);
  const rest = next === undefined ? 0 : Math.floor((ms - count * length) / next[0]);
  return [counted(count, name), ...(next === undefined || rest === 0 ? [] : [counted(rest, next[1])])].join(" ");
}

const dayMs = 86_400_000;
const lengths = [
  [365 * dayMs, "year"],
  [dayMs, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
  [1_000, "second"],
] as const;

const units = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

/** A number of bytes with three digits: `1.21 MiB`. */
export function bytesText(bytes: number): string {
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  const value = bytes / 1024 ** power;
  return `${power === 0 ? value : value.toPrecision(value >= 1000 ? 4 : 3)} ${units[power]}`;
}

/** `1 file`, `2 files`. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}

/** The start of a hash, as much as people compare. */
export function shortHash(hash: string): string {
  return hash.slice(0, 12);
}

/** `1,204`: the same in every locale. */
export function countText(count: number): string {
  return `${Math.round(count)}`.replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `1 step`, `3 steps`, `2 entries`. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : several}`;
}

const units = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

/** Bytes with three digits: `1.21 MiB`. */
export function bytesText(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 1024 ** power;
  return `${power === 0 ? value : value.toPrecision(value < 1_000 ? 3 : 4)} ${units[power]}`;
}

/** A count of everything, and the first few in full: what a report needs, without growing with the file. */
export interface Tally<T> {
  readonly count: number;
  readonly first: readonly T[];
}

export function tallyOf<T>(items: readonly T[], keptMax: number): Tally<T> {
  return { count: items.length, first: items.slice(0, keptMax) };
}

/**
 * Cuts a long list into at most `max` runs of equal length and takes one item of each, so that a plot stays small and
 * every point is still something that happened. `size` is the length of a run, 1 where nothing was left out.
 */
export function sampled<T>(
  items: readonly T[],
  max: number,
  pick: Pick<T>,
): { readonly items: T[]; readonly size: number } {
  const size = Math.max(1, Math.ceil(items.length / max));
  const runs = Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  );
  return { items: runs.flatMap((run) => pick(run) ?? []), size };
}

export type Pick<T> = (run: readonly T[]) => T | undefined;

export function last<T>(run: readonly T[]): T | undefined {
  return run.at(-1);
}

/** The item with the largest measure, the first of equals. */
export function largest<T>(measure: (item: T) => number): Pick<T> {
  return (run) => {
    const most = Math.max(...run.map(measure));
    return run.find((item) => measure(item) === most);
  };
}

/** Numbers that follow each other. */
export type Run = readonly [first: number, count: number];

/** Numbers as runs, and names, in an order. */
export type Runs = readonly (Run | string)[];

/** @param runs whose other members are neither numbers nor pairs */
export function addToRuns(runs: unknown[], key: number): void {
  const last = runs.at(-1);
  if (Array.isArray(last) && last.length === 2 && last[0] + last[1] === key) last[1] += 1;
  else runs.push([key, 1]);
}

export function runsOf(keys: Iterable<number | string>): Runs {
  const runs: (Run | string)[] = [];
  for (const key of keys) {
    if (typeof key === "number") addToRuns(runs, key);
    else runs.push(key);
  }
  return runs;
}

/** What runs stand for, from a place among them on. */
export function* keysIn(runs: Runs, from = 0): Generator<number | string, undefined> {
  let left = from;
  for (const run of runs) {
    const count = typeof run === "string" ? 1 : run[1];
    if (left >= count) left -= count;
    else {
      if (typeof run === "string") yield run;
      else for (let key = run[0] + left; key < run[0] + count; key += 1) yield key;
      left = 0;
    }
  }
}

export const countIn = (runs: Runs): number =>
  runs.reduce((sum, run) => sum + (typeof run === "string" ? 1 : run[1]), 0);

/** How many members two orders share at their start. */
export function commonStart(a: Runs, b: Runs): number {
  let shared = 0;
  for (const [place, run] of a.entries()) {
    const other = b[place];
    if (typeof run === "string" || typeof other === "string" || other === undefined) {
      if (run !== other) return shared;
      shared += 1;
    } else {
      if (run[0] !== other[0]) return shared;
      shared += Math.min(run[1], other[1]);
      if (run[1] !== other[1]) return shared;
    }
  }
  return shared;
}

/** The members of runs that are not among others, in their order. Numbers of both ascend. */
export function* without(runs: Runs, others: Runs): Generator<number | string, undefined> {
  const names = new Set(others.filter((other) => typeof other === "string"));
  const gaps = others.filter((other) => typeof other !== "string");
  let next = 0;
  for (const run of runs) {
    if (typeof run === "string") {
      if (!names.has(run)) yield run;
      continue;
    }
    const end = run[0] + run[1];
    for (let key = run[0]; key < end; ) {
      let gap = gaps[next];
      while (gap !== undefined && gap[0] + gap[1] <= key) gap = gaps[++next];
      if (gap !== undefined && gap[0] <= key) key = gap[0] + gap[1];
      else for (const stop = Math.min(end, gap?.[0] ?? end); key < stop; key += 1) yield key;
    }
  }
}

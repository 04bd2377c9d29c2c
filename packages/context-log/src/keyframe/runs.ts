/** Numbers that follow each other. */
export type Run = readonly [first: number, count: number];

/** @param runs whose other members are neither numbers nor pairs */
export function addToRuns(runs: unknown[], key: number): void {
  const last = runs.at(-1);
  if (Array.isArray(last) && last.length === 2 && last[0] + last[1] === key) last[1] += 1;
  else runs.push([key, 1]);
}

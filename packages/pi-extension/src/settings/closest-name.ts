/** The known name that was most likely meant; undefined where none is near. */
export function closestName(typed: string, names: readonly string[]): string | undefined {
  const far = typed.length < 5 ? 2 : 3;
  const near = names
    .map((name) => ({ name, distance: distanceOf(plain(typed), plain(name)) }))
    .filter(({ distance }) => distance < far)
    .toSorted((a, b) => a.distance - b.distance);
  return near[0]?.name;
}

/** Without what people write differently: case, hyphens and underscores. */
const plain = (name: string): string =>
  name
    .slice(0, 64)
    .toLowerCase()
    .replace(/[-_\s]/g, "");

/** Letters to put in, take out or replace. */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, n) => n);
  for (const [n, letter] of [...from].entries()) {
    const next = [n + 1];
    for (let m = 0; m < to.length; m += 1) {
      const replaced = (row[m] ?? 0) + (letter === to[m] ? 0 : 1);
      next.push(Math.min(replaced, (row[m + 1] ?? 0) + 1, (next[m] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

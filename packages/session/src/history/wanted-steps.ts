import type { FlatPlaces } from "./flat-places.ts";

/** The places of the steps that something of a flat state is made from, but for erased ones. */
export function wantedSteps(places: FlatPlaces): readonly number[] {
  const { tables, rows, rest } = places.flat;
  const wanted = new Set<number>();
  for (const [place, { end }] of places.steps()) {
    // Of what stands for a path: a step that is told for where the next one begins.
    if (place > 0 && places.path[place - 1] === undefined) continue;
    for (let at = places.start(place); at < end; at += 1) {
      if (places.isOmitted(at)) continue;
      wanted.add(place);
      break;
    }
  }
  for (const depth of tables.forms.values()) wanted.add(depth as number);
  for (const [key, depth] of tables.amended) {
    if (!places.isOmitted(Number.parseInt(`${key}`, 10))) wanted.add(depth as number);
  }
  for (const depth of rows.folds) wanted.add(depth as number);
  for (const [, calls] of rest.waiting) for (const [at] of calls) wanted.add(places.stepOf(at));
  if (rest.newestAnswer >= 0) wanted.add(places.stepOf(rest.newestAnswer));
  for (const at of wantedParts(places)) wanted.add(places.stepOf(at));
  return [...wanted].filter((place) => !places.row(place).isErased).sort((a, b) => a - b);
}

/** Where the log has parts of files that something shows, also where the part left the prompt. */
function wantedParts({ flat }: FlatPlaces): readonly number[] {
  const { inSight, seenAt, notes } = flat.tables;
  const shown = [...inSight].flatMap(([key, seen]) => {
    const at = seenAt.get(key);
    return Array.isArray(seen) && seen[3] === 1 && typeof at === "number" ? [at] : [];
  });
  const told = [...notes.values()].flatMap((note) => {
    const part = Array.isArray(note) && note.length === 8 ? note[7] : null;
    return typeof part === "number" ? [part] : [];
  });
  return [...shown, ...told];
}

import { type FlatState, omittedEntry } from "@cm/context-log/state";

/** Where steps and entries of a log stand. */
export interface StepPlaces {
  readonly flat: Pick<FlatState, "tables" | "rows" | "rest">;
  /** Places of the steps of which it is known where they begin and end. */
  spans(): Iterable<number>;
  /** Where in the log a step begins, and where it ends. */
  start(place: number): number;
  end(place: number): number;
  /** The step that an entry of the log is from. */
  stepOf(at: number): number;
  /** Whether an entry of the log left the prompt. */
  isOmitted(at: number): boolean;
  isErased(place: number): boolean;
}

/** The places of the steps that something of a flat state is made from, but for erased ones. */
export function wantedSteps(places: StepPlaces): readonly number[] {
  const { tables, rows, rest } = places.flat;
  const wanted = new Set<number>();
  for (const place of places.spans()) {
    const end = places.end(place);
    for (let at = places.start(place); at < end; at += 1) {
      if (places.isOmitted(at)) continue;
      wanted.add(place);
      break;
    }
  }
  for (const [, depth] of tables.forms) wanted.add(depth as number);
  for (const [key, depth] of tables.amended) {
    const at = Number.parseInt(`${key}`, 10);
    const left = tables.omitted.get(at);
    // Of what left, outputs alone can be asked for again: as they were amended.
    if (left !== undefined && omittedEntry(at, left, String).was !== "result") continue;
    wanted.add(depth as number);
    wanted.add(places.stepOf(at));
  }
  for (const depth of rows.folds.slice()) wanted.add(depth as number);
  for (const [, calls] of rest.waiting) for (const [at] of calls) wanted.add(places.stepOf(at));
  if (rest.newestAnswer >= 0) wanted.add(places.stepOf(rest.newestAnswer));
  for (const at of wantedParts(places)) wanted.add(places.stepOf(at));
  return [...wanted].filter((place) => !places.isErased(place)).sort((a, b) => a - b);
}

/** Where the log has parts of files that something shows, also where the part left the prompt. */
function wantedParts({ flat }: Pick<StepPlaces, "flat">): readonly number[] {
  const { inSight, seenAt, notes } = flat.tables;
  const shown = [...inSight].flatMap(([key, seen]) => {
    const at = seenAt.get(key);
    return Array.isArray(seen) && seen[3] === 1 && typeof at === "number" ? [at] : [];
  });
  const told = [...notes].flatMap(([, note]) => {
    const part = Array.isArray(note) && note.length === 8 ? note[7] : null;
    return typeof part === "number" ? [part] : [];
  });
  return [...shown, ...told];
}

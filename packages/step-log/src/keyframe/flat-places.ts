import {
  type FlatObject,
  type FlatStep,
  type Key,
  type ListedState,
  type PathRow,
  stepFlags,
  type Table,
} from "@cm/context-log/state";
import type { StandingFlat, StandingStep } from "./standing-data.ts";
import type { StepPlaces } from "./wanted-steps.ts";

/** What the keyframe says is not what the store has: an erasure, damage, or an unknown cause. */
export class Unfit extends Error {}

export function unfit(): never {
  throw new Unfit();
}

/**
 * The places that a flat state speaks of: steps of its path, entries of its log, objects in the order they were met. Of
 * one that has only what stands, both lists have holes.
 */
export class FlatPlaces implements StepPlaces {
  readonly flat: ListedState & Partial<Pick<StandingFlat, "standing">>;
  readonly path: readonly PathRow[];
  readonly objects: readonly FlatObject[];
  readonly erased: ReadonlySet<string>;
  readonly omitted: Table;
  readonly #known: { readonly steps: readonly number[]; readonly objects: readonly number[] } | undefined;

  constructor(flat: ListedState & Partial<Pick<StandingFlat, "standing">>, newestHash: string) {
    this.flat = flat;
    const { standing } = flat;
    const { depth, logLength } = flat.rest;
    this.path = standing === undefined ? wholePath(flat, newestHash) : standingPath(standing.steps, newestHash);
    this.objects =
      standing === undefined
        ? (flat.rows.objects as unknown as readonly FlatObject[])
        : withHoles(standing.objects.map(([place, object]) => [place, object]));
    this.#known = standing && {
      steps: standing.steps.map(([place]) => place),
      objects: standing.objects.map(([place]) => place),
    };
    const erased = new Set<string>();
    for (const [, object] of this.named()) if (object[3] === 1) erased.add(object[1]);
    this.erased = erased;
    this.omitted = flat.tables.omitted;
    if (this.path.length !== depth || this.path.at(-1)?.end !== logLength) throw new Unfit();
  }

  /** The steps that are known, at their places. */
  steps(): Iterable<readonly [number, PathRow]> {
    return this.#known === undefined ? this.path.entries() : this.#known.steps.map((place) => [place, this.row(place)]);
  }

  /** The objects that are known, at theirs. */
  named(): Iterable<readonly [number, FlatObject]> {
    return this.#known === undefined
      ? this.objects.entries()
      : this.#known.objects.map((place) => [place, this.objects[place] ?? unfit()]);
  }

  *spans(): Generator<number, undefined> {
    for (const [place] of this.steps()) {
      // Of what stands for a path: a step that is told for where the next one begins.
      if (place === 0 || this.path[place - 1] !== undefined) yield place;
    }
  }

  isOmitted(at: number): boolean {
    const { standing } = this.flat;
    return standing?.gone.some(([from, count]) => from <= at && at < from + count) ?? this.omitted.has(at);
  }

  id(key: Key): string {
    return typeof key === "string" ? key : (this.objects[key]?.[1] ?? unfit());
  }

  row(place: number): PathRow {
    return this.path[place] ?? unfit();
  }

  start(place: number): number {
    return this.path[place - 1]?.end ?? 0;
  }

  end(place: number): number {
    return this.row(place).end;
  }

  isErased(place: number): boolean {
    return this.row(place).isErased;
  }

  stepOf(at: number): number {
    const known = this.#known?.steps;
    const place = (index: number): number => known?.[index] ?? index;
    let [low, high] = [0, (known?.length ?? this.path.length) - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.row(place(middle)).end > at) high = middle;
      else low = middle + 1;
    }
    const found = place(low);
    // The step before it is known wherever something of one stands.
    if (known !== undefined && found > 0 && this.row(found - 1).end > at) throw new Unfit();
    return found;
  }
}

function wholePath({ rows }: ListedState, newestHash: string): readonly PathRow[] {
  const steps = rows.steps as unknown as readonly FlatStep[];
  const names = sessionNames(steps);
  return steps.map(([, n, , end, turn, flags], place) =>
    pathRow([place, names[place] ?? "", n, steps[place + 1]?.[2] ?? newestHash, end, turn, flags]),
  );
}

function standingPath(steps: readonly StandingStep[], newestHash: string): readonly PathRow[] {
  const newest = steps.at(-1)?.[0];
  const rows = steps.map((step): [number, PathRow] => [step[0], pathRow(step)]);
  return withHoles(rows.map(([place, row]) => [place, place === newest ? { ...row, contentHash: newestHash } : row]));
}

const pathRow = ([, session, n, contentHash, end, turn, flags]: StandingStep): PathRow => ({
  address: { session, n },
  contentHash,
  end,
  turn,
  answered: (flags & stepFlags.answered) !== 0,
  isErased: (flags & stepFlags.erased) !== 0,
});

function withHoles<T>(members: readonly (readonly [number, T])[]): readonly T[] {
  const list: T[] = [];
  for (const [place, member] of members) list[place] = member;
  return list;
}

function sessionNames(rows: readonly FlatStep[]): readonly string[] {
  let session = "";
  return rows.map(([name]) => {
    if (name !== "") session = name;
    return session;
  });
}

import {
  type FlatObject,
  type FlatState,
  type FlatStep,
  type Key,
  type PathRow,
  stepFlags,
  type Table,
} from "@cm/context-log/state";

/** What the keyframe says is not what the store has: an erasure, damage, or an unknown cause. */
export class Unfit extends Error {}

export function unfit(): never {
  throw new Unfit();
}

/** The places that a flat state speaks of: steps of its path, entries of its log, objects in the order they were met. */
export class FlatPlaces {
  readonly flat: FlatState;
  readonly path: readonly PathRow[];
  readonly objects: readonly FlatObject[];
  readonly erased: ReadonlySet<string>;
  readonly omitted: Table;

  constructor(flat: FlatState, newestHash: string) {
    this.flat = flat;
    const rows = flat.rows.steps as unknown as readonly FlatStep[];
    const names = sessionNames(rows);
    this.path = rows.map(([, n, , end, turn, flags], place) => ({
      address: { session: names[place] ?? "", n },
      contentHash: rows[place + 1]?.[2] ?? newestHash,
      end,
      turn,
      answered: (flags & stepFlags.answered) !== 0,
      isErased: (flags & stepFlags.erased) !== 0,
    }));
    this.objects = flat.rows.objects as unknown as readonly FlatObject[];
    this.erased = new Set(this.objects.flatMap(([, id, , erased]) => (erased === 1 ? [id] : [])));
    this.omitted = flat.tables.omitted;
    const { depth, logLength } = flat.rest;
    if (rows.length !== depth || rows.at(-1)?.[3] !== logLength) throw new Unfit();
  }

  id(key: Key): string {
    return typeof key === "string" ? key : (this.objects[key]?.[1] ?? unfit());
  }

  row(place: number): PathRow {
    return this.path[place] ?? unfit();
  }

  /** Where in the log a step begins. */
  start(place: number): number {
    return this.path[place - 1]?.end ?? 0;
  }

  /** The step that an entry of the log is from. */
  stepOf(at: number): number {
    let [low, high] = [0, this.path.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.row(middle).end > at) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

function sessionNames(rows: readonly FlatStep[]): readonly string[] {
  let session = "";
  return rows.map(([name]) => {
    if (name !== "") session = name;
    return session;
  });
}

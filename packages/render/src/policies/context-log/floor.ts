/** Never, by clock or floor. */
export const alive = Number.POSITIVE_INFINITY;

/** File text in order of the log, a row for each kind of number. */
export interface FloorRows {
  readonly length: number;
  /** False for what is no file text: that is passed over. */
  readonly isFileText: readonly boolean[];
  readonly steps: readonly number[];
  readonly chars: readonly number[];
  /** The step since which a part is dead; `alive` while it lives, and for what is spared from here on. */
  readonly deadSince: number[];
}

export interface FloorOptions {
  readonly floorChars: number;
  readonly mayLive: (index: number) => boolean;
  /** Who is spared first: the smaller the sooner. */
  readonly rankOf: (index: number) => number;
}

/**
 * Spares file text that is dead by its clock while all living file text together is under the floor, the
 * smallest rank first, and stops at the first part that does not fit. The floor is the one knob between cost and need.
 */
export function spareByFloor(rows: FloorRows, { floorChars, mayLive, rankOf }: FloorOptions): void {
  const { isFileText, chars, deadSince } = rows;
  // Of two with equal ranks the newer one is spared first.
  const dead: number[] = [];
  let living = 0;
  for (let index = rows.length - 1; index >= 0; index -= 1) {
    if (isFileText[index] !== true) continue;
    if (deadSince[index] === alive) living += chars[index] ?? 0;
    else if (mayLive(index)) dead.push(index);
  }
  if (dead.length === 0) return;
  const ranks = dead.map((index) => rankOf(index));
  const cut = cutOf(rows, { dead, ranks }, floorChars - living);
  const doubtful: { readonly index: number; readonly rank: number }[] = [];
  for (let place = 0; place < dead.length; place += 1) {
    const index = dead[place] ?? 0;
    const rank = ranks[place] ?? 0;
    if (bucketOf(rank) >= cut) {
      doubtful.push({ index, rank });
      continue;
    }
    deadSince[index] = alive;
    living += chars[index] ?? 0;
  }
  doubtful.sort((a, b) => a.rank - b.rank);
  let fits = 0;
  for (const { index } of doubtful) {
    const more = chars[index] ?? 0;
    if (living + more > floorChars) break;
    deadSince[index] = alive;
    living += more;
    fits += 1;
  }
  const unspared = doubtful.slice(fits).map(({ index }) => index);
  delayRent(rows, { unspared, living, floorChars });
}

/** Ranks are told apart so finely before they are sorted, and those above all together. */
const bucketsPerRank = 8;
const bucketsMax = 2_048;

const bucketOf = (rank: number): number => Math.min(bucketsMax - 1, Math.floor(rank * bucketsPerRank));

/** The first bucket that does not fit whole: what lies below it is spared, and only the rest has to be sorted. */
function cutOf(
  { chars }: FloorRows,
  { dead, ranks }: { readonly dead: readonly number[]; readonly ranks: readonly number[] },
  charsMax: number,
): number {
  const inBucket = new Array<number>(bucketsMax).fill(0);
  for (let place = 0; place < dead.length; place += 1) {
    const bucket = bucketOf(ranks[place] ?? 0);
    inBucket[bucket] = (inBucket[bucket] ?? 0) + (chars[dead[place] ?? 0] ?? 0);
  }
  let sum = 0;
  const cut = inBucket.findIndex((more) => {
    sum += more;
    return sum > charsMax;
  });
  return cut < 0 ? bucketsMax : cut;
}

/**
 * A part pays rent only since the floor has no room for it. That was when the newest of what is preferred to it came;
 * what is preferred and was folded since is not counted, so rent is rather late than early.
 */
function delayRent(
  { length, isFileText, steps, chars, deadSince }: FloorRows,
  {
    unspared,
    ...facts
  }: { readonly unspared: readonly number[]; readonly living: number; readonly floorChars: number },
): void {
  let { living } = facts;
  let newest = length - 1;
  let full = 0;
  const dates: number[] = [];
  for (const index of unspared) {
    living += chars[index] ?? 0;
    for (; newest >= 0 && living > facts.floorChars; newest -= 1) {
      if (isFileText[newest] !== true || deadSince[newest] !== alive) continue;
      living -= chars[newest] ?? 0;
      full = steps[newest] ?? 0;
    }
    dates.push(full);
  }
  for (const [place, index] of unspared.entries())
    deadSince[index] = Math.max(deadSince[index] ?? 0, dates[place] ?? 0);
}

import type { Standing } from "./standing.ts";

/** Never, by clock or floor. */
export const alive = Number.POSITIVE_INFINITY;

export interface FloorOptions {
  readonly floorChars: number;
  readonly mayLive: (standing: Standing) => boolean;
  /** Who is spared first: the smaller the sooner. */
  readonly rankOf: (standing: Standing) => number;
}

/**
 * Spares file text that is dead by its clock while all living file text together is under the floor, the
 * smallest rank first, and stops at the first part that does not fit. The floor is the one knob between cost and need.
 * `fileText` is in order of the log.
 */
export function spareByFloor(fileText: readonly Standing[], options: FloorOptions): void {
  const dead: Standing[] = [];
  let living = 0;
  for (const standing of fileText) {
    if (standing.deadSince === alive) living += standing.chars;
    else if (options.mayLive(standing)) dead.push(standing);
  }
  if (dead.length === 0) return;
  // Of two with equal ranks the newer one is spared first.
  const ranked = dead.reverse().map((standing) => ({ standing, rank: options.rankOf(standing) }));
  const cut = cutOf(ranked, options.floorChars - living);
  for (const { standing, rank } of ranked) {
    if (bucketOf(rank) >= cut) continue;
    standing.deadSince = alive;
    living += standing.chars;
  }
  const doubtful = ranked.filter(({ rank }) => bucketOf(rank) >= cut).sort((a, b) => a.rank - b.rank);
  let fits = 0;
  for (const { standing } of doubtful) {
    if (living + standing.chars > options.floorChars) break;
    standing.deadSince = alive;
    living += standing.chars;
    fits += 1;
  }
  delayRent(fileText, {
    unspared: doubtful.slice(fits).map(({ standing }) => standing),
    living,
    floorChars: options.floorChars,
  });
}

interface Ranked {
  readonly standing: Standing;
  readonly rank: number;
}

/** Ranks are told apart so finely before they are sorted, and those above all together. */
const bucketsPerRank = 8;
const bucketsMax = 2_048;

const bucketOf = (rank: number): number => Math.min(bucketsMax - 1, Math.floor(rank * bucketsPerRank));

/** The first bucket that does not fit whole: what lies below it is spared, and only the rest has to be sorted. */
function cutOf(ranked: readonly Ranked[], charsMax: number): number {
  const chars = new Float64Array(bucketsMax);
  for (const { standing, rank } of ranked) {
    const bucket = bucketOf(rank);
    chars[bucket] = (chars[bucket] ?? 0) + standing.chars;
  }
  let sum = 0;
  const cut = chars.findIndex((more) => {
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
  fileText: readonly Standing[],
  {
    unspared,
    ...facts
  }: { readonly unspared: readonly Standing[]; readonly living: number; readonly floorChars: number },
): void {
  let { living } = facts;
  let newest = fileText.length - 1;
  let full = 0;
  const dates: number[] = [];
  for (const standing of unspared) {
    living += standing.chars;
    for (; newest >= 0 && living > facts.floorChars; newest -= 1) {
      const last = fileText[newest];
      if (last === undefined || last.deadSince !== alive) continue;
      living -= last.chars;
      full = last.part.step;
    }
    dates.push(full);
  }
  unspared.forEach((standing, index) => {
    standing.deadSince = Math.max(standing.deadSince, dates[index] ?? 0);
  });
}

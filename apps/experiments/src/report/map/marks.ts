import type { PartLife, RunResult } from "@cm/replay";
import { sampled } from "../plots/bins.ts";
import type { Band } from "./bands.ts";
import { arrivalOf, entryOf } from "./lives.ts";

/** A place in a map: the call, and how far down, as a share of the height. */
export interface Mark {
  readonly call: number;
  readonly y: number;
}

export interface Cut extends Mark {
  /** Down to the end of the log at that call. */
  readonly yEnd: number;
}

export interface Marks {
  readonly cuts: readonly Cut[];
  readonly missed: readonly Mark[];
  readonly recalled: readonly Mark[];
  /** Calls whose request the provider's cache had nothing of. */
  readonly cold: readonly number[];
}

/** The events of a run, placed on the bands of its map. If not all marks fit, the first of each run is drawn. */
export function marksOf(run: RunResult, bands: readonly Band[], marksMax: number): Marks {
  const places = placesOf(bands);
  const few = <T>(items: readonly T[]) => sampled(items, marksMax, ([first]) => first).items;
  const endAt = (call: number) => {
    const last = bands.findLast(({ parts }) => parts.some((part) => arrivalOf(part) <= call));
    return last === undefined ? 0 : last.top + last.height;
  };
  const cuts = run.calls.flatMap(({ call, fold }) => {
    const yEnd = endAt(call);
    return fold === undefined ? [] : [{ call, y: Math.min(yEnd, topOfEntry(bands, fold.cut)), yEnd }];
  });
  const missed = run.calls.flatMap(({ call, missed = [] }) =>
    missed.map(({ part = "" }) => ({ call, y: places.get(part) ?? endAt(call) })),
  );
  const recalled = run.calls.flatMap(({ call, recalled = [] }) => recalled.map(() => ({ call, y: endAt(call) })));
  const cold = run.calls.flatMap(({ call, cold }) => (cold && call > 0 ? [call] : []));
  return { cuts: few(cuts), missed: few(missed), recalled: few(recalled), cold: few(cold) };
}

/** The upper edge of the first band that holds the entry or what stands behind it. */
function topOfEntry(bands: readonly Band[], entry: number): number {
  return bands.find(({ parts }) => parts.some((part) => entryOf(part) >= entry))?.top ?? 1;
}

/** The middle of the band that each part stands in. */
function placesOf(bands: readonly Band[]): ReadonlyMap<string, number> {
  return new Map(
    bands.flatMap(({ parts, top, height }) => parts.map(({ key }: PartLife) => [key, top + height / 2] as const)),
  );
}

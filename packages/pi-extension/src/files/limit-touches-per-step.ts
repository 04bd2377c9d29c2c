import type { FileTouch } from "@cm/context-log";
import { fileTouchLimits as limits } from "./file-limits.ts";

/** The touches of a step's results, cut to what a session takes in one step: the longest lists give way first. */
export function limitTouchesPerStep(results: readonly (readonly FileTouch[])[]): readonly (readonly FileTouch[])[] {
  let room: number = limits.touchesPerStepMax;
  const most = new Map<number, number>();
  const places = [...results.keys()].sort((a, b) => (results[a]?.length ?? 0) - (results[b]?.length ?? 0));
  for (const [done, place] of places.entries()) {
    const fair = Math.floor(room / (places.length - done));
    const taken = Math.min(fair, results[place]?.length ?? 0);
    most.set(place, taken);
    room -= taken;
  }
  return results.map((touches, place) => touches.slice(0, most.get(place)));
}

import type { CallFigures, Resident, RunResult } from "@cm/replay";
import { limits } from "../limits.ts";
import { largest, sampled } from "./bins.ts";
import { type ResidentClass, residentClasses } from "./palette.ts";

/** The resident text per call under one policy. */
export interface Stack {
  readonly classes: readonly ResidentClass[];
  readonly points: readonly { readonly x: number; readonly resident: Resident }[];
  /** Calls whose request was written anew from a cut on. */
  readonly folds: readonly number[];
  readonly binSize: number;
}

/**
 * If several calls share one point, the one with the largest request is drawn, so that the parts belong to one request.
 */
export function stackOf(run: RunResult, classes: readonly ResidentClass[]): Stack {
  const sample = sampled(run.calls, limits.areaPointsMax, largest(residentChars));
  const folds = run.calls.filter(({ fold }) => fold !== undefined);
  return {
    classes,
    points: sample.items.map(({ call, resident }) => ({ x: call + 1, resident })),
    // With more folds than marks fit, the marks merge into a band anyway.
    folds: evenly(folds, limits.areaPointsMax).map(({ call }) => call + 1),
    binSize: sample.size,
  };
}

/** The classes that occur in any of the runs, so that plots of one session have one legend. */
export function classesIn(runs: readonly RunResult[]): readonly ResidentClass[] {
  return residentClasses.filter(({ key }) => runs.some(({ calls }) => calls.some(({ resident }) => resident[key] > 0)));
}

/** The largest stack of the runs, for one scale over all their plots. */
export function largestStack(runs: readonly RunResult[]): number {
  return runs.reduce((most, { calls }) => calls.reduce((max, call) => Math.max(max, residentChars(call)), most), 0);
}

function residentChars({ resident }: CallFigures): number {
  return residentClasses.reduce((sum, { key }) => sum + resident[key], 0);
}

function evenly<T>(items: readonly T[], max: number): readonly T[] {
  return sampled(items, max, (run) => run[0]).items;
}

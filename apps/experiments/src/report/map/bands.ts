import type { PartLife } from "@cm/replay";
import { limits } from "../limits.ts";

/** One stripe of a map: a part of the log, or several that stand beside each other and are too thin for one each. */
export interface Band {
  readonly parts: readonly PartLife[];
  readonly chars: number;
  /** Upper edge and height, as shares of the map's height. */
  readonly top: number;
  readonly height: number;
}

/** No part is so long that the others vanish beside it. */
const partShareMax = 0.08;
/** The thinnest band, against the mean one: it must still be hit by a pointer. */
const thinnest = 0.6;

/**
 * The parts in order of the log as at most `bandsMax` bands from top to bottom, each as high as it is long in full.
 * A part that is long enough has a band of its own.
 */
export function bandsOf(parts: readonly PartLife[], bandsMax: number): readonly Band[] {
  const groups = parts.length <= bandsMax ? parts.map((part) => [part]) : groupedTo(parts, bandsMax);
  const highest = partShareMax * charsOf(parts);
  const weights = groups.map((group) => Math.min(charsOf(group), highest));
  const mean = sum(weights) / Math.max(1, weights.length);
  const heights = weights.map((weight) => Math.max(weight, thinnest * mean, 1));
  const whole = sum(heights);
  let top = 0;
  return groups.map((group, at) => {
    const height = (heights[at] ?? 0) / whole;
    const band = { parts: group, chars: charsOf(group), top, height };
    top += height;
    return band;
  });
}

/** As many groups as fit: the threshold rises until they do. */
function groupedTo(parts: readonly PartLife[], bandsMax: number): PartLife[][] {
  let threshold = charsOf(parts) / (2 * bandsMax);
  let groups = grouped(parts, threshold);
  while (groups.length > Math.max(1, bandsMax)) {
    threshold = Math.max(1, threshold * 1.2);
    groups = grouped(parts, threshold);
  }
  return groups;
}

/** A part that reaches the threshold stands alone; others gather until they reach it together. */
function grouped(parts: readonly PartLife[], threshold: number): PartLife[][] {
  const groups: PartLife[][] = [];
  let open: PartLife[] = [];
  let openChars = 0;
  const close = () => {
    if (open.length > 0) groups.push(open);
    open = [];
    openChars = 0;
  };
  for (const part of parts) {
    if (part.chars >= threshold) {
      close();
      groups.push([part]);
      continue;
    }
    open.push(part);
    openChars += part.chars;
    if (openChars >= threshold) close();
  }
  close();
  return groups;
}

export function charsOf(parts: readonly PartLife[]): number {
  return sum(parts.map(({ chars }) => chars));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Bands of each map where a page has so many of them. */
export function bandsMaxFor(maps: number): number {
  const share = Math.floor(limits.pageBandsMax / Math.max(1, maps));
  return Math.min(limits.mapBandsMax, Math.max(limits.mapBandsMin, share));
}

import type { Line, Lines, Point } from "./lines.ts";

export interface CroppedLines extends Lines {
  /** Upper end of the scale, where a line was cropped. */
  readonly yMax: number | undefined;
  readonly leaving: readonly { readonly policy: string; readonly call: number; readonly end: number }[];
}

/**
 * Ends lines that rise above `times` the highest point of `policy`, which would press all others flat. The page must
 * name what is `leaving`, where, and how high it ends.
 */
export function croppedAbove(lines: Lines, policy: string, times: number): CroppedLines {
  const measure = lines.lines.find((line) => line.policy === policy);
  const limit = times * Math.max(0, ...(measure?.points ?? []).map(({ y }) => y));
  const leaving = lines.lines.flatMap((line) => {
    const first = line.points.find(({ y }) => y > limit);
    const end = line.points.at(-1);
    return first === undefined || end === undefined ? [] : [{ policy: line.policy, call: first.x, end: end.y }];
  });
  return leaving.length === 0
    ? { ...lines, yMax: undefined, leaving }
    : { ...lines, lines: lines.lines.map((line) => upTo(line, limit)), yMax: limit, leaving };
}

function upTo(line: Line, limit: number): Line {
  const beyond = line.points.findIndex(({ y }) => y > limit);
  if (beyond === -1) return line;
  const within = line.points.slice(0, beyond);
  const [before, after] = [within.at(-1), line.points[beyond]];
  return { ...line, points: before && after ? [...within, crossing(before, after, limit)] : within };
}

/** The point at which the line between two points crosses the limit. */
function crossing(before: Point, after: Point, limit: number): Point {
  const share = (limit - before.y) / (after.y - before.y);
  return { x: before.x + share * (after.x - before.x), y: limit };
}

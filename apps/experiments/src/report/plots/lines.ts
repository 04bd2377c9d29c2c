import type { CallFigures, RunResult } from "@cm/replay";
import { limits } from "../limits.ts";
import { largest, last, type Pick, sampled } from "./bins.ts";
import { type Ink, type Inks, plainInk, plainPolicy } from "./palette.ts";

export interface Point {
  /** Number of the call, from 1. */
  readonly x: number;
  readonly y: number;
}

export interface Line {
  readonly policy: string;
  readonly ink: Ink;
  readonly points: readonly Point[];
}

export interface Lines {
  readonly lines: readonly Line[];
  /** Calls for each point, 1 where all are drawn. */
  readonly binSize: number;
}

/** Size of each request under every policy. Of several calls in one point the largest is drawn. */
export function contextLines(runs: readonly RunResult[], inks: Inks): Lines {
  const size = ({ sentChars }: CallFigures) => sentChars;
  const plainSize = ({ plainSentChars }: CallFigures) => plainSentChars;
  return linesOf(runs, inks, { of: pointsOf(size), ofPlain: pointsOf(plainSize), pick: largest(({ y }: Point) => y) });
}

/** Billed input added up from the first call on. Of several calls in one point the sum after the last is drawn. */
export function billedLines(runs: readonly RunResult[], inks: Inks): Lines {
  const billed = ({ billed }: CallFigures) => billed;
  const plainBilled = ({ plainBilled }: CallFigures) => plainBilled;
  return linesOf(runs, inks, { of: addedUp(billed), ofPlain: addedUp(plainBilled), pick: last });
}

type PointsOf = (calls: readonly CallFigures[]) => readonly Point[];

interface Drawing {
  readonly of: PointsOf;
  readonly ofPlain: PointsOf;
  readonly pick: Pick<Point>;
}

/** Plain comes last, on top: its dashes let an equal line below show. Each run knows what plain would have been. */
function linesOf(runs: readonly RunResult[], inks: Inks, { of, ofPlain, pick }: Drawing): Lines {
  const managed = runs.filter(({ policy }) => policy !== plainPolicy);
  const all = managed.map(({ policy, calls }) => ({ policy, ink: inks(policy), points: of(calls) }));
  const [first] = runs;
  if (first !== undefined) all.push({ policy: plainPolicy, ink: plainInk, points: ofPlain(first.calls) });
  const drawn = all.map((line) => ({ line, sample: sampled(line.points, limits.linePointsMax, pick) }));
  return {
    lines: drawn.map(({ line, sample }) => ({ ...line, points: sample.items })),
    binSize: Math.max(1, ...drawn.map(({ sample }) => sample.size)),
  };
}

function pointsOf(figure: (call: CallFigures) => number): PointsOf {
  return (calls) => calls.map((call) => ({ x: call.call + 1, y: figure(call) }));
}

function addedUp(figure: (call: CallFigures) => number): PointsOf {
  return (calls) => {
    let sum = 0;
    return calls.map((call) => {
      sum += figure(call);
      return { x: call.call + 1, y: Math.round(sum) };
    });
  };
}

import type { ContextView, RepeatedRun } from "@cm/context-log";
import { type TextLine, textLines } from "@cm/tool-calls";
import { countedText, isBehindEnd } from "../../layouts/log/shorter-output.ts";
import { limits } from "../../limits.ts";
import { type LinePlaces, linePlacesOf } from "../log-index/line-places.ts";
import type { Part } from "../log-index/part.ts";

export interface RunBounds {
  readonly linesMin: number;
  readonly charsMin: number;
  /** Of a part so much is repeated, in characters: it stays in view for the sake of what points at it. */
  readonly baseShareMin: number;
  /** Whether a run may point at a part. */
  readonly mayPointAt: (part: Part) => boolean;
}

/** The runs of lines of a text that stand in view already: at each line the place that agrees longest. */
export function repeatedRuns(view: ContextView, text: string, bounds: RunBounds): readonly RepeatedRun[] {
  if (text.length > limits.searchedCharsMax) return [];
  const finder = new RunFinder(view, textLines(text), bounds);
  const runs: RepeatedRun[] = [];
  for (let line = 0; line < finder.lines.length; ) {
    const run = finder.longestAt(line);
    if (run !== undefined) runs.push(run);
    line += run?.count ?? 1;
  }
  return finder.withoutSlightBases(runs);
}

class RunFinder {
  readonly lines: readonly TextLine[];
  readonly #view: ContextView;
  readonly #places: LinePlaces;
  readonly #bounds: RunBounds;
  readonly #bases = new Map<Part, readonly TextLine[]>();

  constructor(view: ContextView, lines: readonly TextLine[], bounds: RunBounds) {
    this.lines = lines;
    this.#view = view;
    this.#places = linePlacesOf(view);
    this.#bounds = bounds;
  }

  /** Undefined where no run from here on is long enough. */
  longestAt(line: number): RepeatedRun | undefined {
    let longest: RepeatedRun | undefined;
    for (const { part, line: from } of this.#places.placesOf(this.lines[line]?.text ?? "")) {
      if (!this.#bounds.mayPointAt(part)) continue;
      const count = this.#agreeing(line, this.#baseOf(part), from);
      if (count > (longest?.count ?? 0)) longest = { line, count, in: part.key, from };
    }
    return longest !== undefined && this.#isLongEnough(longest) ? longest : undefined;
  }

  withoutSlightBases(runs: readonly RepeatedRun[]): readonly RepeatedRun[] {
    const repeated = new Map<string, number>();
    for (const run of runs) repeated.set(run.in, (repeated.get(run.in) ?? 0) + this.#charsOf(run));
    const isSlight = ({ key, chars }: Part): boolean =>
      (repeated.get(key) ?? chars) < this.#bounds.baseShareMin * chars;
    const slight = new Set([...this.#bases.keys()].filter(isSlight).map(({ key }) => key));
    return runs.filter((run) => !slight.has(run.in));
  }

  #isLongEnough(run: RepeatedRun): boolean {
    const { linesMin, charsMin } = this.#bounds;
    return run.count >= linesMin && this.#charsOf(run) >= charsMin;
  }

  #charsOf({ line, count }: RepeatedRun): number {
    return this.lines.slice(line, line + count).reduce((chars, { whole }) => chars + whole.length + 1, 0);
  }

  /** How many lines from here on are the same, numbered on or not numbered alike. */
  #agreeing(line: number, base: readonly TextLine[], from: number): number {
    let count = 0;
    for (;;) {
      const [own, other] = [this.lines[line + count], base[from + count]];
      if (own === undefined || other === undefined || own.text !== other.text) return count;
      // An empty line is not the same as none.
      if (isBehindEnd(this.lines, line + count) !== isBehindEnd(base, from + count)) return count;
      // A range of lines says their numbers only where all of them have one, or none has.
      if (!goesOn(this.lines, line, count) || !goesOn(base, from, count)) return count;
      count += 1;
    }
  }

  #baseOf(part: Part): readonly TextLine[] {
    const known = this.#bases.get(part) ?? textLines(countedText(this.#view.log[part.at], part.key) ?? "");
    this.#bases.set(part, known);
    return known;
  }
}

const goesOn = (lines: readonly TextLine[], from: number, count: number): boolean =>
  (lines[from]?.number === undefined) === (lines[from + count]?.number === undefined);

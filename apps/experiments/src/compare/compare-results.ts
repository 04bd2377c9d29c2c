import { defined } from "@cm/object-model";
import type { ReadResults, ReadRun } from "@cm/replay";
import { limits } from "../limits.ts";
import { type ComparedFigures, type FigureName, figuresOf, worseFigures } from "./compared-figures.ts";
import { type PolicyPair, policyPairs } from "./policy-pairs.ts";
import { refuseDifferent } from "./same-input.ts";

/** One session, or all of them, under one policy at one price, before and after. */
export interface ComparedRow {
  /** Base name of the recording; undefined for the total of all. */
  readonly file: string | undefined;
  /** Of a total: the agent that wrote its recordings; undefined for all of them. */
  readonly family?: string;
  readonly policy: string;
  readonly pricing: string;
  readonly before: ComparedFigures;
  readonly after: ComparedFigures;
  readonly worse: readonly FigureName[];
}

export interface Comparison {
  readonly sessions: readonly ComparedRow[];
  readonly totals: readonly ComparedRow[];
  /** Policies that only one of the two has; they are not compared. */
  readonly alone: readonly string[];
}

/**
 * Two replays of the same recordings, side by side. Pure.
 * @throws CmError `compare/different` where recordings, prices, heads or policies do not allow it; the message names what
 */
export function compareResults(before: ReadResults, after: ReadResults): Comparison {
  refuseDifferent(before.meta, after.meta);
  const { pairs, alone } = policyPairs(before.meta.policies, after.meta.policies);
  const cells = pairs.flatMap((pair) => before.meta.prices.map(({ name }) => ({ pair, pricing: name })));
  const familyOf = familiesIn([...before.runs, ...after.runs]);
  const families = [...new Set(familyOf.values())];
  const totals = [...(families.length > 1 ? families : []), undefined].flatMap((family) =>
    cells.map(({ pair, pricing }) => {
      const wanted = (run: ReadRun) => family === undefined || familyOf.get(sessionOf(run)) === family;
      return { ...row(wanted, pair, { pricing, before, after }), ...defined({ family }) };
    }),
  );
  const files = before.meta.recordings;
  const sessions = files.flatMap(({ file, recording }) =>
    cells.map(({ pair, pricing }) => {
      const wanted = (run: ReadRun) => run.file === file && run.recording === recording;
      return { ...row(wanted, pair, { pricing, before, after }), file };
    }),
  );
  return { sessions, totals, alone };
}

/** How many figures got worse, of sessions and totals. */
export function worseCount({ sessions, totals }: Comparison): number {
  return [...sessions, ...totals].reduce((sum, { worse }) => sum + worse.length, 0);
}

type Session = Pick<ReadRun, "file" | "recording">;

const sessionOf = ({ file, recording }: Session): string => JSON.stringify([file, recording]);

/** The family of each session as either side has it: runs of an earlier version name none. */
function familiesIn(runs: readonly ReadRun[]): ReadonlyMap<string, string> {
  return new Map(runs.flatMap((run) => (run.family === undefined ? [] : [[sessionOf(run), run.family]])));
}

function row(
  wanted: (run: ReadRun) => boolean,
  pair: PolicyPair,
  { pricing, before, after }: { readonly pricing: string; readonly before: ReadResults; readonly after: ReadResults },
): ComparedRow {
  const of = ({ runs }: ReadResults, policy: string) =>
    figuresOf(runs.filter((run) => run.policy === policy && run.pricing === pricing && wanted(run)));
  const [was, is] = [of(before, pair.before), of(after, pair.after)];
  return {
    file: undefined,
    policy: pair.before === pair.after ? pair.before : `${pair.before} → ${pair.after}`,
    pricing,
    before: was,
    after: is,
    worse: worseFigures(was, is, limits.comparedShareNoise),
  };
}

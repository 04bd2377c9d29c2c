import { limits } from "../limits.ts";
import type { ReadResults, ReadRun } from "../replay/results-file.ts";
import { type ComparedFigures, type FigureName, figuresOf, worseFigures } from "./compared-figures.ts";
import { type PolicyPair, policyPairs } from "./policy-pairs.ts";
import { refuseDifferent } from "./same-input.ts";

/** One session, or all of them, under one policy at one price, before and after. */
export interface ComparedRow {
  /** Base name of the recording; undefined for the total of all. */
  readonly file: string | undefined;
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
  const totals = cells.map(({ pair, pricing }) => row(undefined, pair, { pricing, before, after }));
  const files = before.meta.recordings;
  const sessions = files.flatMap(({ file, recording }) =>
    cells.map(({ pair, pricing }) => row({ file, recording }, pair, { pricing, before, after })),
  );
  return { sessions, totals, alone };
}

/** How many figures got worse, of sessions and totals. */
export function worseCount({ sessions, totals }: Comparison): number {
  return [...sessions, ...totals].reduce((sum, { worse }) => sum + worse.length, 0);
}

function row(
  session: Pick<ReadRun, "file" | "recording"> | undefined,
  pair: PolicyPair,
  { pricing, before, after }: { readonly pricing: string; readonly before: ReadResults; readonly after: ReadResults },
): ComparedRow {
  const of = ({ runs }: ReadResults, policy: string) =>
    figuresOf(
      runs.filter(
        (run) =>
          run.policy === policy &&
          run.pricing === pricing &&
          (session === undefined || (run.file === session.file && run.recording === session.recording)),
      ),
    );
  const [was, is] = [of(before, pair.before), of(after, pair.after)];
  return {
    file: session?.file,
    policy: pair.before === pair.after ? pair.before : `${pair.before} → ${pair.after}`,
    pricing,
    before: was,
    after: is,
    worse: worseFigures(was, is, limits.comparedShareNoise),
  };
}

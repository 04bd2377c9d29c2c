import { spawnSync } from "node:child_process";
import { absolute, compared, type Figure, median } from "./figure.ts";
import type { FixedViewFigures } from "./requests/fixed-view.ts";
import { type LongRequests, longRequests, type RequestTimes } from "./requests/long-requests.ts";
import { shape } from "./requests/long-requests-script.ts";

const rounds = 3;
const objectsMin = 9_500;

/** Requests this late in the session are looked at, and as many at a tenth of its length. */
const sample = 500;

const session = `${shape.steps} steps and 10,000 objects`;

/**
 * Deciding and rendering one request of a very long session, and the heap after many renders of one view.
 * @param fixedView the program that renders one view, for a process of its own
 */
export async function requestBench(fixedView: string): Promise<readonly Figure[]> {
  const runs: LongRequests[] = [];
  for (let round = 0; round < rounds; round += 1) runs.push(await longRequests());
  const met = runs[0]?.objects ?? 0;
  if (met < objectsMin) throw new Error(`The session met ${met} objects.`);
  return [...timeFigures(runs), ...heapFigures(fixedView)];
}

function timeFigures(runs: readonly LongRequests[]): readonly Figure[] {
  const late = ({ requests }: LongRequests) => requests.slice(-sample);
  const early = ({ requests }: LongRequests) => requests.slice(shape.steps / 10, shape.steps / 10 + sample);
  const made = (times: readonly RequestTimes[]) => times.map(({ madeMs }) => madeMs);
  const figure = (id: string, what: string, goal: number | null, value: (run: LongRequests) => number) =>
    absolute({ id, what, unit: id.endsWith("growth") ? "ratio" : "ms", goal }, runs.map(value));
  return [
    figure("request.p99", `deciding and rendering a request at ${session}, folds among them, 99 of 100`, 5, (run) =>
      percentile(made(late(run)), 0.99),
    ),
    absolute(
      {
        id: "request.p99.undisturbed",
        what: "the same, of each request's best run: what a busy machine adds is left out",
        unit: "ms",
        goal: null,
      },
      [percentile(bestOf(runs.map((run) => made(late(run)))), 0.99)],
    ),
    figure("request.median", "the same, median", null, (run) => median(made(late(run)))),
    figure("request.max", `the longest of the last ${sample}`, null, (run) => Math.max(...made(late(run)))),
    figure("request.cold", "one that rewrites everything, with a summary of the pool", null, ({ cold }) => cold.madeMs),
    figure("request.assemble", "all that the session does for a request, store in memory, 99 of 100", null, (run) =>
      percentile(
        late(run).map(({ assembleMs }) => assembleMs),
        0.99,
      ),
    ),
    figure(
      "request.growth",
      `the median there, over that at ${shape.steps / 10} steps`,
      null,
      (run) => median(made(late(run))) / median(made(early(run))),
    ),
  ];
}

/** The runs are the same session, request for request. */
function bestOf(runs: readonly (readonly number[])[]): readonly number[] {
  return (runs[0] ?? []).map((_, request) => Math.min(...runs.map((times) => times[request] ?? Number.NaN)));
}

function heapFigures(fixedView: string): readonly Figure[] {
  const { status, stdout } = spawnSync(process.execPath, [...process.execArgv, fixedView], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`${fixedView} ended with ${status}.`);
  const { sessionMb, after, logChars } = JSON.parse(stdout) as FixedViewFigures;
  const [first, last] = after;
  if (first === undefined || last === undefined) throw new Error("The view was not rendered.");
  return [
    compared(
      {
        id: "request.heap",
        what: `heap after ${last.renders} renders of one view at ${session}`,
        unit: "MB",
        goal: 1.2,
      },
      last.heapMb,
      { what: `after ${first.renders}`, value: first.heapMb },
    ),
    absolute(
      {
        id: "request.heap.session",
        what: `heap of that session and its store in memory, ${Math.round(logChars / 1e5) / 10} million characters`,
        unit: "MB",
        goal: null,
      },
      [sessionMb],
    ),
  ];
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

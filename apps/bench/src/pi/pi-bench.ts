import { spawnSync } from "node:child_process";
import { absolute, type Figure, median } from "../figure.ts";
import type { LongBranchFigures } from "./long-branch.ts";
import type { StartFigures } from "./start-of-pi.ts";

const steps = 2_000;
const rounds = 3;
/** So many of the last requests are looked at, and as many at a tenth of the session's length. */
const sample = 400;

/** The programs that measure, as paths. */
export interface PiPrograms {
  readonly longBranch: string;
  readonly start: string;
}

/** The cost that the extension adds to Pi: to each request late in a long session, to Pi's start and to its memory. */
export async function piBench(programs: PiPrograms): Promise<readonly Figure[]> {
  const longBranch = (...args: readonly string[]) =>
    output<LongBranchFigures>(programs.longBranch, [`${steps}`, ...args]);
  const runs = Array.from({ length: rounds }, () => longBranch());
  const alone = longBranch("alone");
  const start = output<StartFigures>(programs.start, []);
  return [...requestFigures(runs), ...memoryFigures(runs, alone), startFigure(start)];
}

function requestFigures(runs: readonly LongBranchFigures[]): readonly Figure[] {
  const what = `what is added to a request of Pi at ${steps} steps with two calls each`;
  const late = runs.map(({ requestMs }) => requestMs.slice(-sample));
  const early = runs.map(({ requestMs }) => requestMs.slice(steps / 10, steps / 10 + sample));
  const bestOf = (times: readonly (readonly number[])[]) =>
    (times[0] ?? []).map((_, request) => Math.min(...times.map((run) => run[request] ?? Number.NaN)));
  return [
    absolute({ id: "pi.request.p99", what: `${what}, 99 of 100`, unit: "ms", goal: 10 }, late.map(p99)),
    absolute(
      {
        id: "pi.request.p99.undisturbed",
        what: "the same, of each request's best run: what a busy machine adds is left out",
        unit: "ms",
        goal: null,
      },
      [p99(bestOf(late))],
    ),
    absolute({ id: "pi.request.median", what: "the same, median", unit: "ms", goal: null }, late.map(median)),
    absolute(
      { id: "pi.request.cpu", what: "processor time of a request there, all threads, median", unit: "ms", goal: null },
      runs.map(({ cpuMs }) => median(cpuMs.slice(-sample))),
    ),
    absolute(
      { id: "pi.last-turn.median", what: "what Pi waits for behind a prompt's last answer", unit: "ms", goal: null },
      runs.map(({ lastTurnMs }) => median(lastTurnMs.slice((-lastTurnMs.length * sample) / steps))),
    ),
    absolute(
      { id: "pi.request.growth", what: `the median there, over that at ${steps / 10}`, unit: "ratio", goal: null },
      [median(bestOf(late)) / median(bestOf(early))],
    ),
  ];
}

function memoryFigures(runs: readonly LongBranchFigures[], alone: LongBranchFigures): readonly Figure[] {
  return [
    absolute(
      {
        id: "pi.memory",
        what: "memory of the process then, less that of the same without the extension",
        unit: "MB",
        goal: 100,
      },
      runs.map(({ residentMb }) => residentMb - alone.residentMb),
    ),
  ];
}

function startFigure({ aloneMs, managedMs }: StartFigures): Figure {
  const alone = Math.min(...aloneMs);
  const added = Math.min(...managedMs) - alone;
  const about = { id: "pi.start", what: "how much later Pi asks its model first, best of each", unit: "ms", goal: 150 };
  return { ...absolute(about, [added]), peer: { what: "Pi alone", value: Math.round(alone) } };
}

const p99 = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN;

/** @throws Error where the program fails; its own words are on stderr */
function output<T>(program: string, args: readonly string[]): T {
  // With V8's own bounds, as Pi runs.
  const { status, stdout } = spawnSync(process.execPath, ["--expose-gc", program, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 2 ** 24,
  });
  if (status !== 0) throw new Error(`${program} ended with ${status}.`);
  return JSON.parse(stdout) as T;
}

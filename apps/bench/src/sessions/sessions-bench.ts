import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { absolute, type Figure, median } from "../figure.ts";
import type { LongSessionFigures } from "./long-session.ts";
import { writeFiles } from "./long-session-script.ts";
import type { OpeningFigures } from "./opening-session.ts";
import type { ResumeFigures } from "./resume-session.ts";

const rounds = 3;
const shape = { steps: 5_000, objects: 10_000, changed: 100 };
/** V8 takes what it is allowed to before it looks for garbage: bounded, the process shows what it needs. */
const heapFlags = ["--max-semi-space-size=2"];

/** The folder of the programs that run as separate processes. */
export interface SessionPrograms {
  readonly long: string;
  readonly wide: string;
  readonly resume: string;
  readonly opening: string;
}

/** A session of 5,000 steps and 10,000 objects, and resuming one of as many. */
export async function sessionsBench(programs: SessionPrograms): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "cm-bench-"));
  try {
    return [
      ...longFigures(programs, join(folder, "long")),
      ...resumeFigures(programs, folder),
      ...openingFigures(programs, join(folder, "opening")),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function longFigures({ long }: SessionPrograms, folder: string): readonly Figure[] {
  mkdirSync(folder);
  const run = JSON.parse(output([...heapFlags, long, folder, `${shape.steps}`])) as LongSessionFigures;
  if (run.objects !== shape.objects) throw new Error(`The session met ${run.objects} objects.`);
  const { late, early, bookBytes, databaseBytes } = run;
  const perHundred = databaseBytes.slice(1).map((bytes, place) => (bytes - (databaseBytes[place] ?? 0)) / 100);
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
  const books = (from: number, to: number) => sum(bookBytes.slice(from, to)) / (to - from);
  const what = `of a session that reads a new file in each of ${shape.steps} steps`;
  return [
    one(
      "session.step.flat",
      `step ${run.lateAt} ${what} over step ${run.earlyAt}, looks at files aside`,
      "ratio",
      1.3,
      median(late.stepMs) / median(early.stepMs),
    ),
    one("session.step", `step ${run.lateAt}, looks at files aside, median`, "ms", null, median(late.stepMs)),
    one("session.look", `the look at its ${run.lateAt} files, median`, "ms", null, median(late.lookMs)),
    one(
      "session.bytes",
      "bytes of a step's documents beside its texts, mean of all, keyframes included",
      "B",
      5_000,
      books(0, shape.steps),
    ),
    one(
      "session.bytes.flat",
      "the same of the last thousand steps over the first thousand",
      "ratio",
      1.3,
      books(shape.steps - 1_000, shape.steps) / books(0, 1_000),
    ),
    one(
      "session.database",
      "bytes of the database for each step, texts included, mean of the last thousand",
      "B",
      null,
      sum(perHundred.slice(-10)) / 10,
    ),
    one("session.heap", "heap of the open session after a collection", "MB", 150, run.heapMb),
    one("session.memory", `memory of its process then (${heapFlags.join(" ")})`, "MB", null, run.residentMb),
  ];
}

function resumeFigures({ wide, resume }: SessionPrograms, folder: string): readonly Figure[] {
  const written = join(folder, "wide");
  mkdirSync(written);
  output([wide, written, `${shape.objects}`]);
  cpSync(join(written, "session.sqlite"), join(folder, "before.sqlite"));
  const changed = Array.from({ length: shape.changed }, (_, place) => (place * shape.objects) / shape.changed);
  const runs: ResumeFigures[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    writeFiles(join(written, "files"), changed, round);
    cpSync(join(folder, "before.sqlite"), join(written, "session.sqlite"));
    // Otherwise the session's first commit waits for the copy to be on disk.
    spawnSync("sync");
    const run = JSON.parse(output([resume, written, "wide"])) as ResumeFigures;
    if (run.changed !== shape.changed) throw new Error(`${run.changed} files were found changed.`);
    runs.push(run);
  }
  const what = `resume of ${shape.objects} files of which ${shape.changed} changed`;
  return [
    absolute(
      { id: "session.resume", what: `${what}, until the first request, looks at files aside`, unit: "ms", goal: 400 },
      runs.map(({ resumeMs }) => resumeMs),
    ),
    absolute(
      {
        id: "session.resume.look",
        what: "the looks at the files then: attributes, bytes and hashes of all",
        unit: "ms",
        goal: null,
      },
      runs.map(({ lookMs }) => lookMs),
    ),
  ];
}

/** Without a window: everything stands in the prompt, and is read for it. */
function openingFigures({ opening }: SessionPrograms, folder: string): readonly Figure[] {
  mkdirSync(folder);
  const steps = 20_000;
  const run = JSON.parse(output([...heapFlags, opening, folder, `${steps}`])) as OpeningFigures;
  const early = median(run.earlyMs);
  return [
    one(
      "session.open",
      `opening at step ${steps}, where all of it stands in the prompt`,
      "ms",
      null,
      median(run.lateMs),
    ),
    one("session.open.flat", `the same over step ${run.earlyAt}`, "ratio", null, median(run.lateMs) / early),
    one("session.past", `the request of step ${run.earlyAt} among ${steps}`, "ms", null, median(run.pastEarlyMs)),
    one("session.past.late", "the newest request, made again", "ms", null, median(run.pastLateMs)),
  ];
}

function one(id: string, what: string, unit: string, goal: number | null, value: number): Figure {
  return absolute({ id, what, unit, goal }, [value]);
}

function output(args: readonly string[]): string {
  const { status, stdout } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}.`);
  return stdout;
}

// A process of its own, so that its memory is that of one session: `node long-session.js FOLDER STEPS`.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { layouts, rendererFor } from "@cm/render";
import { openSession, type Session } from "@cm/session";
import { createFilesystemSource } from "@cm/sources-fs";
import { openSqliteStore } from "@cm/store-sqlite";
import { type MeasuredCommit, measuredStore } from "../measured-store.ts";
import { promptBefore, stepOf, writeFiles } from "./long-session-script.ts";
import { TimedSource } from "./timed-source.ts";

/** Milliseconds of some steps without their looks at files, and of those looks. */
export interface StepTimes {
  readonly stepMs: number[];
  readonly lookMs: number[];
}

/** The output of the process, as one line of JSON. */
export interface LongSessionFigures {
  readonly objects: number;
  readonly earlyAt: number;
  readonly lateAt: number;
  /** Steps around the hundredth of a young session, taken in turns with those late in the old one. */
  readonly early: StepTimes;
  readonly late: StepTimes;
  /** Bytes of each step's documents beside its texts. */
  readonly bookBytes: readonly number[];
  /** Bytes of the database every hundred steps. */
  readonly databaseBytes: readonly number[];
  readonly heapMb: number;
  readonly residentMb: number;
}

const [folder = "", stepsText = "5000"] = process.argv.slice(2);
const steps = Number(stepsText);
const halfWidth = 25;
const earlyAt = 100;
const lateAt = steps - 100;

/** A session on a database of its own, that reads one file more in each step. */
class Reading {
  readonly root: string;
  readonly files;
  readonly source: TimedSource;
  readonly store;
  readonly commits: MeasuredCommit[] = [];
  readonly bookBytes: number[] = [];
  #session: Session | undefined;
  #n = 0;

  constructor(name: string, count: number) {
    mkdirSync(join(folder, name), { recursive: true });
    this.root = join(folder, name, "files");
    writeFiles(
      this.root,
      Array.from({ length: count }, (_, n) => n),
    );
    this.files = createFilesystemSource({ roots: [this.root] });
    this.source = new TimedSource(this.files);
    this.store = openSqliteStore({ path: join(folder, name, "session.sqlite") });
  }

  get session(): Session {
    if (this.#session === undefined) throw new Error("The session is not open yet.");
    return this.#session;
  }

  async open(): Promise<void> {
    const { source, commits } = this;
    const store = measuredStore(this.store, commits);
    this.#session = await openSession({ store, layout: layouts.log, rendererFor, session: "long", sources: [source] });
  }

  async step(times?: StepTimes): Promise<void> {
    const { session, source, root, files, commits } = this;
    const n = this.#n++;
    const record = await stepOf(n, root, files);
    const looked = source.lookMs;
    const started = performance.now();
    const prompt = promptBefore(n);
    if (prompt.length > 0) await session.receive(prompt);
    await session.assemble();
    await session.record(record);
    const ms = performance.now() - started;
    times?.lookMs.push(source.lookMs - looked);
    times?.stepMs.push(ms - (source.lookMs - looked));
    for (const { bookBytes } of commits.splice(0)) this.bookBytes.push(bookBytes);
  }

  async close(): Promise<void> {
    // Not closed, which writes: what is measured next finds the session as it was left.
    await this.session.abandon();
    await this.files.close();
    await this.store.close();
  }
}

const old = new Reading("old", steps);
const young = new Reading("young", earlyAt + halfWidth);
await old.open();
await young.open();
const times = { early: { stepMs: [], lookMs: [] }, late: { stepMs: [], lookMs: [] } } satisfies Record<
  string,
  StepTimes
>;
const database = new DatabaseSync(join(folder, "old", "session.sqlite"), { readOnly: true });
const databaseBytes: number[] = [];
for (let n = 0; n < steps; n += 1) {
  if (n % 100 === 0) databaseBytes.push(bytesOf(database));
  if (n === lateAt - halfWidth) for (let early = 0; early < earlyAt - halfWidth; early += 1) await young.step();
  const isLate = n >= lateAt - halfWidth && n < lateAt + halfWidth;
  // In turns, so that whatever else the machine does hits both alike.
  if (isLate) await young.step(times.early);
  await old.step(isLate ? times.late : undefined);
}
databaseBytes.push(bytesOf(database));
database.close();
await young.close();
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
collect();
const { heapUsed, rss } = process.memoryUsage();
const figures: LongSessionFigures = {
  objects: old.session.view().sets.index.size,
  earlyAt,
  lateAt,
  ...times,
  bookBytes: old.bookBytes,
  databaseBytes,
  heapMb: heapUsed / 1e6,
  residentMb: rss / 1e6,
};
await old.close();
process.stdout.write(`${JSON.stringify(figures)}\n`);

function bytesOf(file: DatabaseSync): number {
  const size = file.prepare("SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size").get();
  return Number(size?.bytes);
}
